import type { ReportModel, Visual } from '../shared/reportModel.ts';
import { mountChart } from './chart.ts';
import { element } from './element.ts';
import { mountKpi } from './kpi.ts';
import { askPortal, watchKey } from './portal.ts';
import { createReportState, type MountedVisual, type ReportState } from './reportState.ts';
import { mountTable } from './table.ts';
import { exportButton, slicers, tabs } from './toolbar.ts';

const mount = (state: ReportState, visual: Visual): MountedVisual => {
  if (visual.kind === 'kpi') return mountKpi(state, visual);
  return visual.kind === 'table' ? mountTable(state, visual) : mountChart(state, visual);
};

const card = (state: ReportState, { id, kind, span, title }: Visual, content: HTMLElement) => {
  const linked = { class: 'bound', title: 'Your selection is sent to the application.' };
  const isLinked = state.model.boundVisuals.includes(id);
  return element(
    'section',
    { class: `card card-${kind}`, 'data-visual': id, style: `--span: ${span}`, 'aria-label': title },
    element('header', {}, element('h2', {}, title), ...(isLinked ? [element('span', linked, 'Linked')] : [])),
    content,
  );
};

const start = (place: Element, model: ReportModel) => {
  let visuals: readonly MountedVisual[] = [];
  let shownPage = '';
  const filters = element('div', { class: 'slicers' });
  const pages = element('div');
  const hasPages = model.pages.length > 1;
  const grid = element('div', { class: 'grid', id: 'visuals', role: hasPages ? 'tabpanel' : undefined });

  const stop = () => {
    for (const visual of visuals) visual.stop?.();
    visuals = [];
  };
  const draw = () => {
    const focused = document.activeElement?.id ?? '';
    const page = state.page();
    if (hasPages) pages.replaceChildren(tabs(state));
    filters.replaceChildren(...slicers(state));
    if (page.id !== shownPage) {
      stop();
      const mounted = page.visuals.map((visual) => ({ visual, made: mount(state, visual) }));
      if (hasPages) grid.setAttribute('aria-labelledby', `tab-${page.id}`);
      grid.replaceChildren(...mounted.map(({ visual, made }) => card(state, visual, made.root)));
      visuals = mounted.map(({ made }) => made);
      shownPage = page.id;
    }
    for (const visual of visuals) visual.update();
    // What had the focus was drawn again.
    if (document.activeElement === document.body) document.getElementById(focused)?.focus();
  };
  const bound = new Set(model.boundVisuals);
  let last: Promise<unknown> = Promise.resolve();
  const state = createReportState(model, {
    onChange: draw,
    // The page only sends the points; the portal looks up their values. One after the other: a clear never overtakes.
    onSelection: (visual, selection) => {
      if (!bound.has(visual)) return;
      const { columns = [], points = [] } = selection ?? {};
      const body = { visual, columns, points, filters: state.filters() };
      last = last.then(() => askPortal('actions', body)).catch(() => undefined);
    },
  });
  const noRows =
    model.roleNames.length === 0
      ? 'There are no rows for you in this report.'
      : 'Your roles do not include any rows of this report.';
  place.replaceChildren(
    pages,
    element('div', { class: 'bar' }, filters, exportButton(model.title)),
    ...(model.table.rowCount === 0 ? [element('p', { class: 'no-rows', role: 'status' }, noRows)] : []),
    grid,
  );
  draw();
  for (const event of ['beforeprint', 'afterprint'])
    window.addEventListener(event, () => {
      document.documentElement.classList.toggle('printing', event === 'beforeprint');
      draw();
    });
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') state.clearSelection();
  });
  watchKey(model.endsInMs, () => {
    stop();
    // Nothing is sent anymore.
    bound.clear();
  });
  document.documentElement.dataset['painted'] = '';
  performance.mark('report-painted');
};

const place = document.querySelector('#report');
// The portal writes this text with the same type.
const model = JSON.parse(document.querySelector('#report-model')?.textContent ?? '') as ReportModel;
if (place !== null) start(place, model);
