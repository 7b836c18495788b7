import { EmbeddedReport, type EmbeddedReportHandle, type EmbeddedReportProps } from '@vitrine/react';
import type { ReactNode, Ref } from 'react';
import { record } from './pageRecord.ts';

/** A report, whose callbacks are recorded. */
export const Report = (
  props: Partial<EmbeddedReportProps> & { ref?: Ref<EmbeddedReportHandle> },
): ReactNode => (
  <EmbeddedReport
    itemId={1042}
    title="Sales by region"
    height={480}
    onLoad={() => record.calls.push('onLoad')}
    onError={({ code }) => record.calls.push(`onError ${code}`)}
    {...props}
  />
);
