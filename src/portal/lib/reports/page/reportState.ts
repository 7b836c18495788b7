import type { ColumnFilter, ReportModel, ReportPageModel } from '../shared/reportModel.ts';
import { selectRows } from '../shared/selectRows.ts';

/** The viewer's selection in one visual. */
export interface Selection {
  readonly visualId: string;
  /** Columns that identify a point, and their values for each selected point. */
  readonly columns: readonly string[];
  readonly points: readonly (readonly string[])[];
}

/** The state of an open report and its operations. */
export interface ReportState {
  readonly model: ReportModel;
  page(): ReportPageModel;
  showPage(id: string): void;
  /** Rows that pass the slicers. */
  filteredRows(): readonly number[];
  /** Rows that pass the slicers and the selection, for all visuals except the one with the selection. */
  highlightedRows(visualId: string): readonly number[] | undefined;
  filters(): readonly ColumnFilter[];
  toggleFilter(column: string, value: string): void;
  clearFilter(column: string): void;
  selection(): Selection | undefined;
  /** Toggles a point; `isAdding` keeps earlier points (Ctrl or ⌘). */
  toggleSelection(visualId: string, point: SelectedPoint): void;
  clearSelection(): void;
  onChange(listener: () => void): void;
  onSelection(listener: (visualId: string, selection: Selection | undefined) => void): void;
}

/** One point of a visual. */
export interface SelectedPoint {
  readonly columns: readonly string[];
  readonly values: readonly string[];
  readonly isAdding: boolean;
}

const isSame = (left: readonly string[], right: readonly string[]) =>
  left.length === right.length && left.every((value, place) => value === right[place]);

/** Creates the state of filters and selection, which the visuals draw. */
export const createReportState = (model: ReportModel): ReportState => {
  const [firstPage] = model.pages;
  if (firstPage === undefined) throw new Error('The report has no page.');
  let page = firstPage;
  let filters: ColumnFilter[] = [];
  let selection: Selection | undefined;
  const changeListeners: (() => void)[] = [];
  const selectionListeners: ((visualId: string, selection: Selection | undefined) => void)[] = [];
  const changed = () => {
    for (const listener of changeListeners) listener();
  };
  const select = (visualId: string, next: Selection | undefined) => {
    const earlier = selection;
    selection = next;
    changed();
    if (earlier !== undefined && earlier.visualId !== next?.visualId)
      for (const listener of selectionListeners) listener(earlier.visualId, undefined);
    if (next !== undefined) for (const listener of selectionListeners) listener(visualId, next);
  };

  return {
    model,
    page: () => page,
    showPage: (id) => {
      page = model.pages.find((candidate) => candidate.id === id) ?? page;
      if (selection === undefined) changed();
      else select(selection.visualId, undefined);
    },
    filteredRows: () => selectRows(model.table, filters),
    highlightedRows: (visualId) => {
      if (selection === undefined || selection.visualId === visualId) return undefined;
      const { columns, points } = selection;
      const rows = new Set<number>();
      for (const point of points)
        for (const row of selectRows(model.table, [
          ...filters,
          ...columns.map((column, place) => ({ column, values: [point[place] ?? ''] })),
        ]))
          rows.add(row);
      return [...rows].sort((left, right) => left - right);
    },
    filters: () => filters,
    toggleFilter: (column, value) => {
      const present = filters.find((filter) => filter.column === column)?.values ?? [];
      const values = present.includes(value)
        ? present.filter((other) => other !== value)
        : [...present, value];
      filters = filters.filter((filter) => filter.column !== column);
      if (values.length > 0) filters.push({ column, values });
      changed();
    },
    clearFilter: (column) => {
      filters = filters.filter((filter) => filter.column !== column);
      changed();
    },
    selection: () => selection,
    toggleSelection: (visualId, { columns, values, isAdding }) => {
      const isHere = selection?.visualId === visualId && isSame(selection.columns, columns);
      const present = isHere ? (selection?.points ?? []) : [];
      const isPicked = present.some((point) => isSame(point, values));
      const others = isAdding ? present.filter((point) => !isSame(point, values)) : [];
      const isOnlyPick = isPicked && (isAdding || present.length === 1);
      const points = isOnlyPick ? others : [...others, values];
      select(visualId, points.length === 0 ? undefined : { visualId, columns, points });
    },
    clearSelection: () => {
      if (selection !== undefined) select(selection.visualId, undefined);
    },
    onChange: (listener) => void changeListeners.push(listener),
    onSelection: (listener) => void selectionListeners.push(listener),
  };
};
