import { element } from '../../ui/element.ts';
import type { ReportModel, Visual } from '../shared/reportModel.ts';
import { onThemeChange } from './chartTheme.ts';
import { exportButton } from './exportButton.ts';
import { mountChart } from './mountChart.ts';
import type { MountedVisual } from './mountedVisual.ts';
import { mountKpi } from './mountKpi.ts';
import { mountSlicers } from './mountSlicers.ts';
import { mountTable } from './mountTable.ts';
import { createReportState, type ReportState } from './reportState.ts';
import { sendActions } from './sendActions.ts';
import { showEndedNotice } from './showEndedNotice.ts';
import { watchKey } from './watchKey.ts';

const mount = (state: ReportState, visual: Visual): MountedVisual => {
  switch (visual.kind) {
    case 'kpi':
      return mountKpi(state, visual);
    case 'table':
      return mountTable(state, visual);
    case 'bar':
    case 'line':
    case 'donut':
      return mountChart(state, visual);
  }
};

const card = (state: ReportState, visual: Visual, root: HTMLElement) =>
  element('section', {
    class: `card card-${visual.kind}`,
    attributes: {
      'data-visual': visual.id,
      'data-span': String(visual.span),
      'aria-label': visual.title,
    },
    children: [
      element('header', {
        children: [
          element('h2', { text: visual.title }),
          ...(state.model.boundVisuals.includes(visual.id)
            ? [
                element('span', {
                  class: 'bound',
                  text: 'Linked',
                  attributes: { title: 'Your selection is sent to the application.' },
                }),
              ]
            : []),
        ],
      }),
      root,
    ],
  });

const mountTabs = (state: ReportState): HTMLElement => {
  const root = element('div', { class: 'tabs', attributes: { role: 'tablist', 'aria-label': 'Pages' } });
  const draw = () => {
    root.replaceChildren(
      ...state.model.pages.map((page) => {
        const isShown = page.id === state.page().id;
        return element('button', {
          text: page.title,
          attributes: {
            type: 'button',
            role: 'tab',
            id: `tab-${page.id}`,
            'aria-selected': String(isShown),
            'aria-controls': 'visuals',
            tabindex: isShown ? '0' : '-1',
          },
          onClick: () => state.showPage(page.id),
        });
      }),
    );
  };
  root.addEventListener('keydown', (event) => {
    const { pages } = state.model;
    const place = pages.findIndex((page) => page.id === state.page().id);
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const next = pages[(place + step + pages.length) % pages.length];
    if (next === undefined) return;
    state.showPage(next.id);
    root.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
    event.preventDefault();
  });
  draw();
  state.onChange(draw);
  return root;
};

const start = () => {
  const source = document.querySelector('#report-model')?.textContent ?? '';
  const place = document.querySelector('#report');
  if (place === null) return;
  // The portal writes this text with the same type.
  const model = JSON.parse(source) as ReportModel;
  // As on the server: a key has no spaces, each was a literal "+".
  const key = (new URLSearchParams(window.location.search).get('ev') ?? '').replaceAll(' ', '+');
  const state = createReportState(model);
  const grid = element('div', { class: 'grid', attributes: { id: 'visuals' } });
  if (model.pages.length > 1) grid.setAttribute('role', 'tabpanel');
  place.replaceChildren(
    ...(model.pages.length > 1 ? [mountTabs(state)] : []),
    element('div', {
      class: 'bar',
      children: [
        mountSlicers(state),
        exportButton({
          exportUrl: `/report/${model.itemId}/export`,
          key,
          fileName: `${model.title}.csv`,
        }),
      ],
    }),
    ...(model.table.rowCount === 0
      ? [
          element('p', {
            class: 'no-rows',
            text:
              model.roleNames.length === 0
                ? 'There are no rows for you in this report.'
                : 'Your roles do not include any rows of this report.',
            attributes: { role: 'status' },
          }),
        ]
      : []),
    grid,
  );

  let visuals: MountedVisual[] = [];
  let shownPage = '';
  const draw = () => {
    const page = state.page();
    if (page.id === shownPage) {
      for (const visual of visuals) visual.update();
      return;
    }
    shownPage = page.id;
    for (const visual of visuals) visual.stop();
    const mounted = page.visuals.map((visual) => ({ visual, made: mount(state, visual) }));
    visuals = mounted.map(({ made }) => made);
    grid.setAttribute('aria-labelledby', `tab-${page.id}`);
    grid.replaceChildren(...mounted.map(({ visual, made }) => card(state, visual, made.root)));
    for (const visual of visuals) visual.start();
  };
  draw();
  state.onChange(draw);
  onThemeChange(draw);
  for (const [event, isStarting] of [
    ['beforeprint', true],
    ['afterprint', false],
  ] as const)
    window.addEventListener(event, () => {
      document.documentElement.classList.toggle('printing', isStarting);
      draw();
    });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') state.clearSelection();
  });
  sendActions(state, { actionsUrl: `/report/${model.itemId}/actions`, key });
  watchKey({
    sessionUrl: `/report/${model.itemId}/session`,
    key,
    endsInMs: model.endsInMs,
    onEnd: (end) => {
      for (const visual of visuals) visual.stop();
      showEndedNotice(end);
    },
  });
  document.documentElement.dataset['painted'] = '';
  performance.mark('report-painted');
};

start();
