import { EmbeddedReport, type EmbeddedReportHandle, type EmbeddedReportProps } from '@vitrine/react';
import type { ReactNode, Ref } from 'react';
import type { PageRecord } from './pageRecord.ts';

export interface ReportProps extends Partial<EmbeddedReportProps> {
  readonly record: PageRecord;
  readonly ref?: Ref<EmbeddedReportHandle>;
}

/** A report, whose callbacks are recorded. */
export const Report = ({ record, ...props }: ReportProps): ReactNode => (
  <EmbeddedReport
    itemId={1042}
    title="Sales by region"
    height={480}
    onLoad={() => record.calls.push('onLoad')}
    onError={({ code }) => record.calls.push(`onError ${code}`)}
    {...props}
  />
);
