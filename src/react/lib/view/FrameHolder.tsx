'use client';
import { type ReactNode, useInsertionEffect, useRef } from 'react';

interface FrameHolderProps {
  readonly isVisible: boolean;
  readonly children: ReactNode;
}

/**
 * The element around an iframe that only this component touches. Consent managers and browser extensions replace, wrap
 * and move iframes, and the whole app fails if React removes a node that is not where React has put it.
 */
export const FrameHolder = ({ isVisible, children }: FrameHolderProps): ReactNode => {
  const holder = useRef<HTMLDivElement | null>(null);
  const home = useRef<HTMLElement | null>(null);
  // The cleanup runs before React removes the element.
  useInsertionEffect(
    () => () => {
      const { current } = holder;
      if (current && current.parentElement !== home.current) home.current?.append(current);
    },
    [],
  );
  const place = (element: HTMLDivElement | null) => {
    if (!element) return;
    holder.current = element;
    home.current = home.current ?? element.parentElement;
    const { style } = element;
    // By script, so that a server's HTML has no inline style.
    style.cssText = isVisible
      ? 'display:contents'
      : 'display:block;position:fixed;top:0;left:0;visibility:hidden';
    if (isVisible || !home.current) return;
    const { clientWidth, clientHeight } = home.current;
    style.width = `${clientWidth}px`;
    style.height = `${clientHeight}px`;
  };
  return (
    <div ref={place} className="vitrine-holder">
      {children}
    </div>
  );
};
