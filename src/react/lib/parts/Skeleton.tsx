import type { ReactNode } from 'react';

interface SkeletonProps {
  readonly text: string;
  readonly height: number | string;
}

/** Holds the room of a report that loads. Attributes alone lay it out, so that it needs no style, not even in a server's HTML. */
export const Skeleton = ({ text, height }: SkeletonProps): ReactNode => (
  <output>
    <svg className="vitrine-skeleton" width="100%" height={height} fill="currentColor">
      <text x="50%" y="50%" textAnchor="middle">
        {text}
      </text>
    </svg>
  </output>
);
