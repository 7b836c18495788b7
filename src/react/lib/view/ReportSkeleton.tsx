import type { ReactNode } from 'react';

interface ReportSkeletonProps {
  readonly label: string;
  readonly height: number | string;
}

/** The outline of a report. It needs no styles, even in a server's HTML. */
export const ReportSkeleton = ({ label, height }: ReportSkeletonProps): ReactNode => (
  <output className="vitrine-loading">
    <svg className="vitrine-skeleton" width="100%" height={height} fill="currentColor">
      <text x="50%" y="50%" textAnchor="middle">
        {label}
      </text>
    </svg>
  </output>
);
