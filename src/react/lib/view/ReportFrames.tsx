import type { ComponentPropsWithoutRef, ReactNode } from 'react';
import type { ReportFrame } from '../frames/reportState.ts';
import { FrameHolder } from './FrameHolder.tsx';

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

interface ReportFramesProps {
  readonly frames: readonly ReportFrame[];
  readonly title: string;
  readonly height: number | string;
  readonly frameProps: FrameProps | undefined;
}

const hidden = { visibility: 'hidden' } as const;

/** The iframes of a report. */
export const ReportFrames = ({ frames, title, height, frameProps }: ReportFramesProps): ReactNode => {
  // Numbers become attributes, so that a server's HTML needs no inline style; CSS lengths must be styles.
  const length = typeof height === 'string' ? height : undefined;
  return frames.map(({ id, isVisible, props }) => (
    <FrameHolder key={id} isVisible={isVisible}>
      <iframe
        title={title}
        width="100%"
        height={height}
        frameBorder={0}
        allowFullScreen
        {...frameProps}
        className={`vitrine-frame ${frameProps?.className ?? ''}`}
        style={{ height: length, ...frameProps?.style, ...(!isVisible && hidden) }}
        {...props}
      />
    </FrameHolder>
  ));
};
