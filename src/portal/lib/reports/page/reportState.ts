import { createFormats, type Formats } from '../shared/formats.ts';
import type { ColumnFilter, Measure, ReportModel, ReportPageModel } from '../shared/reportModel.ts';
import { selectRows } from '../shared/selectRows.ts';

/** A visual on the page. */
export interface MountedVisual {
  readonly root: HTMLElement;
  /** Called once the root is in the document and has a size, and after a change of filters or selection. */
  readonly update: () => void;
  readonly stop?: () => void;
}

/** Whether the page is being printed: light, as wide as a sheet, with all rows. */
export const isPrinting = (): boolean => document.documentElement.classList.contains('printing');

/** The viewer's selection in one visual. */
export interface Selection {
  readonly visualId: string;
  /** Columns that identify a point, and their values for each selected point. */
  readonly columns: readonly string[];
  readonly points: readonly (readonly string[])[];
}

/** What a press selects in a visual. */
export interface Press {
  readonly columns: readonly string[];
  readonly values: readonly string[];
  readonly event: MouseEvent | KeyboardEvent;
}

/** The state of an open report and its operations. */
export interface ReportState {
  readonly model: ReportModel;
  readonly formats: Formats;
  page(): ReportPageModel;
  showPage(id: string): void;
  filters(): readonly ColumnFilter[];
  /** Adds or removes a value of a filter; without a value, removes the filter. */
  toggleFilter(column: string, value?: string): void;
  /** Rows that pass the filters. */
  filteredRows(): readonly number[];
  /** Rows that pass the filters and the selection in another visual, if there is one. */
  highlightedRows(visualId: string): readonly number[] | undefined;
  /** The selection in a visual. */
  selectionIn(visualId: string): Selection | undefined;
  /** Selects or clears a point. Ctrl or ⌘ keeps the other points. */
  toggleSelection(visualId: string, press: Press): void;
  clearSelection(): void;
}

/** A measure of the report. */
export const measureOf = ({ model }: ReportState, id: string): Measure => {
  const measure = model.measures.find((candidate) => candidate.id === id);
  if (measure === undefined) throw new Error(`The report has no measure ${id}.`);
  return measure;
};

/** Calls after a change. A visual without a selection was cleared. */
export interface ReportListeners {
  readonly onChange: () => void;
  readonly onSelection: (visualId: string, selection: Selection | undefined) => void;
}

const isSame = (left: readonly string[], right: readonly string[]) =>
  left.length === right.length && left.every((value, place) => value === right[place]);

/** Creates the state of filters and selection, which the visuals draw. */
export const createReportState = (
  model: ReportModel,
  { onChange, onSelection }: ReportListeners,
): ReportState => {
  const [firstPage] = model.pages;
  if (firstPage === undefined) throw new Error('The report has no page.');
  let page = firstPage;
  let filters: readonly ColumnFilter[] = [];
  let selection: Selection | undefined;
  const select = (next: Selection | undefined) => {
    const earlier = selection;
    selection = next;
    onChange();
    if (earlier !== undefined && earlier.visualId !== next?.visualId)
      onSelection(earlier.visualId, undefined);
    if (next !== undefined) onSelection(next.visualId, next);
  };
  const selectionIn = (visualId: string) => (selection?.visualId === visualId ? selection : undefined);

  return {
    model,
    formats: createFormats(),
    page: () => page,
    showPage: (id) => {
      page = model.pages.find((candidate) => candidate.id === id) ?? page;
      select(undefined);
    },
    filters: () => filters,
    toggleFilter: (column, value) => {
      const held = filters.find((filter) => filter.column === column)?.values ?? [];
      const others = held.filter((other) => other !== value);
      const values = value === undefined ? [] : others.length < held.length ? others : [...held, value];
      filters = [
        ...filters.filter((filter) => filter.column !== column),
        ...(values.length > 0 ? [{ column, values }] : []),
      ];
      onChange();
    },
    filteredRows: () => selectRows(model.table, filters),
    highlightedRows: (visualId) => {
      if (selection === undefined || selection.visualId === visualId) return undefined;
      const { columns, points } = selection;
      const filtered = selectRows(model.table, filters);
      const highlighted = points.flatMap((point) =>
        selectRows(
          model.table,
          columns.map((column, place) => ({ column, values: [point[place] ?? ''] })),
          filtered,
        ),
      );
      return [...new Set(highlighted)].sort((left, right) => left - right);
    },
    selectionIn,
    toggleSelection: (visualId, { columns, values, event }) => {
      const here = selectionIn(visualId);
      const held = here !== undefined && isSame(here.columns, columns) ? here.points : [];
      const isAdding = event.ctrlKey || event.metaKey;
      const others = isAdding ? held.filter((point) => !isSame(point, values)) : [];
      const isLeft = held.some((point) => isSame(point, values)) && (isAdding || held.length === 1);
      const points = isLeft ? others : [...others, values];
      select(points.length === 0 ? undefined : { visualId, columns, points });
    },
    clearSelection: () => {
      if (selection !== undefined) select(undefined);
    },
  };
};
