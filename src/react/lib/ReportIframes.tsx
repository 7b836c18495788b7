'use client';
import { type ComponentPropsWithoutRef, type ReactNode, useInsertionEffect, useRef } from 'react';
import type { ReportFrame } from './reportState.ts';

interface HolderProps {
  readonly isVisible: boolean;
  /** Name of the iframe inside, if there is one. */
  readonly frameName?: string;
  readonly children: ReactNode;
}

/**
 * The element around a part of a report that only this component touches. Consent managers and browser extensions replace, wrap
 * and move iframes, and the whole app fails if React removes a node that is not where React has put it.
 */
export const Holder = ({ isVisible, frameName, children }: HolderProps): ReactNode => {
  const holder = useRef<HTMLDivElement | null>(null);
  const home = useRef<HTMLElement | null>(null);
  // The cleanup runs before React removes the element.
  useInsertionEffect(
    () => () => {
      const { current } = holder;
      if (current && current.parentElement !== home.current) home.current?.append(current);
      // The next viewer must not see the frame, or a copy of it, where a stranger has moved it. The root of an element that
      // is not on the page is an element.
      const trees = frameName ? [document, home.current?.getRootNode() as ParentNode | undefined] : [];
      for (const tree of trees)
        for (const frame of tree?.querySelectorAll(`iframe[name="${frameName}"]`) ?? [])
          if (!current?.contains(frame)) frame.remove();
    },
    [frameName],
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

/** Attributes that a host may set on the iframes. */
export type FrameProps = Omit<
  ComponentPropsWithoutRef<'iframe'>,
  | 'children'
  | 'dangerouslySetInnerHTML'
  | 'height'
  | 'id'
  | 'loading'
  | 'name'
  | 'onError'
  | 'onLoad'
  | 'src'
  | 'srcDoc'
  | 'title'
  | 'width'
>;

interface ReportIframesProps {
  readonly frames: readonly ReportFrame[];
  readonly title: string;
  readonly height: number | string;
  readonly frameProps: FrameProps | undefined;
}

const hidden = { visibility: 'hidden' } as const;

/** The iframes of a report. */
export const ReportIframes = ({ frames, title, height, frameProps }: ReportIframesProps): ReactNode => {
  // Numbers become attributes, which a host's styles override; CSS lengths must be styles.
  const length = typeof height === 'string' ? height : undefined;
  return frames.map(({ id, isVisible, props }) => (
    <Holder key={id} isVisible={isVisible} frameName={id}>
      <iframe
        title={title}
        width="100%"
        height={height}
        frameBorder={0}
        allow="fullscreen; clipboard-write; local-network-access"
        {...frameProps}
        className={`vitrine-frame ${frameProps?.className ?? ''}`}
        style={{ height: length, ...frameProps?.style, ...(!isVisible && hidden) }}
        {...props}
      />
    </Holder>
  ));
};
