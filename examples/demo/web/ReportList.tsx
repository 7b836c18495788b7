import type { ReportSummary } from './backend.ts';
import { addressOf, goTo } from './useReportInAddress.ts';

interface ReportListProps {
  readonly reports: readonly ReportSummary[];
  readonly current: number | undefined;
}

/**
 * On a narrow page, the list scrolls sideways, and the open report may be out of view. `scrollIntoView` would also move
 * the starting point of Tab.
 */
const bringIntoView = (link: HTMLAnchorElement | null) => {
  const list = link?.closest('nav');
  if (!link || !list) return;
  const { left, right } = link.getBoundingClientRect();
  const sight = list.getBoundingClientRect();
  if (left < sight.left) list.scrollLeft -= sight.left - left;
  else if (right > sight.right) list.scrollLeft += right - sight.right;
};

/** Links, so that they can open in a new tab. */
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
