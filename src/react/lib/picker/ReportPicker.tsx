'use client';
import type { EmbedItem } from '@vitrine/contract';
import { type ComponentPropsWithoutRef, type ReactNode, useContext, useId, useRef } from 'react';
import { EmbedContext } from '../EmbedProvider.tsx';
import type { EmbedErrorKind } from '../errors.ts';
import { keepFocus } from '../frameControl.ts';
import { englishLabels, type LabelOverrides, mergeDefined } from '../labels.ts';
import { ReportErrorMessage } from '../view.tsx';
import { useReports } from './useReports.ts';

/** Props of {@link ReportPicker}. All others go to the root element. */
export interface ReportPickerProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children' | 'onSelect'> {
  /** Item ID of the selected report. Default: none is selected. */
  readonly itemId?: number | undefined;
  /** Called with the report that the viewer selects, by click or by key. */
  readonly onSelect: (report: EmbedItem) => void;
  /** Content of a row. Default: the name of the report, or its item ID. */
  readonly renderReport?: ((report: EmbedItem) => ReactNode) | undefined;
  /** Label overrides, on top of those of the provider. Default: none. */
  readonly labels?: LabelOverrides | undefined;
}

/** Errors whose titles speak of the viewer, and not of a report. */
const viewerKinds: readonly EmbedErrorKind[] = ['signed_out', 'rate_limited', 'offline'];

/**
 * A list of the reports that the viewer may open. Its rows are radio buttons: one stop in the tab order, and the arrow keys select.
 *
 * @example
 * ```tsx
 * import { EmbeddedReport } from '@vitrine/react';
 * import { ReportPicker } from '@vitrine/react/picker';
 * import { useState } from 'react';
 *
 * export const Reports = () => {
 *   const [itemId, setItemId] = useState<number>();
 *   return (
 *     <>
 *       <ReportPicker itemId={itemId} onSelect={(report) => setItemId(report.itemId)} />
 *       {itemId && <EmbeddedReport itemId={itemId} />}
 *     </>
 *   );
 * };
 * ```
 */
export const ReportPicker = (props: ReportPickerProps): ReactNode => {
  const { itemId, onSelect, renderReport, labels: ownLabels, className = '', ...rootProps } = props;
  const defaults = useContext(EmbedContext);
  const labels = mergeDefined(englishLabels, defaults.labels, ownLabels);
  const { reports, error, retry } = useReports();
  const isNobody = defaults.viewerKey === null;
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const onRetry = () => {
    keepFocus(root.current);
    retry();
  };
  const renderContent = () => {
    if (isNobody) return null;
    if (error) {
      const { kind } = error;
      const label = viewerKinds.includes(kind)
        ? labels[kind]
        : { ...labels[kind], title: labels.reportsFailed };
      const shared = { error, height: 'auto', onSignIn: defaults.onSignIn };
      return <ReportErrorMessage {...shared} labels={{ ...labels, [kind]: label }} onRetry={onRetry} />;
    }
    if (!reports) return <output className="vitrine-loading">{labels.loading}</output>;
    if (reports.length === 0) return <output className="vitrine-empty">{labels.noReports}</output>;
    return (
      <fieldset className="vitrine-list" aria-label={labels.reports}>
        {reports.map((report) => (
          <label key={report.itemId} className="vitrine-option">
            <input
              type="radio"
              name={id}
              checked={report.itemId === itemId}
              onChange={() => onSelect(report)}
            />
            {renderReport ? renderReport(report) : report.name || report.itemId}
          </label>
        ))}
      </fieldset>
    );
  };
  return (
    <div
      {...rootProps}
      ref={root}
      className={`vitrine-picker ${className}`}
      data-code={error?.code}
      aria-busy={!isNobody && !reports && !error}
    >
      {renderContent()}
    </div>
  );
};
