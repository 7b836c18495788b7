import type { ReportSummary } from './backend.ts';
import { addressOf, goTo } from './useReportInAddress.ts';

interface ReportListProps {
  readonly reports: readonly ReportSummary[];
  readonly current: number | undefined;
}

/** On a narrow page the list scrolls sideways, and the report that is open may be out of sight. */
const bringIntoView = (link: HTMLAnchorElement | null) =>
  link?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

/** Links, so that they open in a new tab too. */
export const ReportList = ({ reports, current }: ReportListProps) => (
  <ul className="report-list">
    {reports.map(({ itemId, title, summary }) => (
      <li key={itemId}>
        <a
          href={addressOf(itemId)}
          aria-current={itemId === current ? 'page' : undefined}
          ref={itemId === current ? bringIntoView : undefined}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            goTo(itemId);
          }}
        >
          <span className="report-title">{title}</span>
          <span className="report-summary">{summary}</span>
        </a>
      </li>
    ))}
  </ul>
);
