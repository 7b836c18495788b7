import { z } from 'zod';
import type { Actor } from '../change.ts';
import { invalidField, notFound } from '../http/portalFailure.ts';
import { reportDefinition } from './definitions/reportDefinitions.ts';
import { findTasks, type OpenReport, readOpenTable } from './reportAccess.ts';
import { total } from './shared/aggregate.ts';
import { createFormats, type Formats } from './shared/formats.ts';
import type { Measure, ReportTable, Visual } from './shared/reportModel.ts';
import { selectRows } from './shared/selectRows.ts';

const text = z.string().max(256);

/** Request of the report page when a viewer selects points of a visual, or clears them (`points: []`). */
export const selectionSchema = z.strictObject({
  visual: z.string().min(1).max(128),
  columns: z.array(text).max(4),
  points: z.array(z.array(text).max(4)).max(500),
  filters: z.array(z.strictObject({ column: text, values: z.array(text).max(500) })).max(8),
});

type Selection = z.output<typeof selectionSchema>;

/** Sends the webhooks of every task bound to a visual for a selection in an open report. */
export const sendSelection = async (
  report: OpenReport,
  viewer: Actor & { readonly userId: number },
  selection: Selection,
): Promise<void> => {
  const { services, tenant, item } = report;
  const definition = reportDefinition(item.report);
  const visual = definition.pages
    .flatMap((page) => page.visuals)
    .find((candidate) => candidate.id === selection.visual);
  if (visual === undefined) throw notFound('The visual', 'visual');
  const allowed = identifyingColumns(visual);
  const wrong = selection.columns.findIndex((column) => !allowed.includes(column));
  if (wrong >= 0) throw invalidField(`columns[${wrong}]`, 'is not a column of this visual');
  const { tenancyName } = tenant;
  const tasks = (await findTasks(report)).flatMap((task) =>
    // Without an address, its delivery fails.
    task.visualNames.includes(visual.id) ? { ...task, tenancyName, url: task.webhookUrl ?? '' } : [],
  );
  if (tasks.length === 0) return;
  const metadata = {
    actionTriggeredAt: new Date(services.clock.now()).toISOString(),
    clientUrl: services.tenantUrl(tenancyName),
    currentUser: viewer.userId,
    reportId: item.guid,
    reportName: item.displayName,
    tenancyName,
    visualName: visual.id,
  };
  // The browser sends the points, the portal their values (docs/interface.md#6.1), of the viewer's own rows only.
  const table = await readOpenTable(report);
  const measureIds = visual.kind === 'table' ? visual.measures : [visual.measure];
  const measures = measureIds.flatMap((id) => definition.measures.filter((measure) => measure.id === id));
  const formats = createFormats();
  const data = selection.points.flatMap((point) => {
    const identity = selection.columns.map((column, place) => ({ column, equals: point[place] ?? '' }));
    const filters = identity.map(({ column, equals }) => ({ column, values: [equals] }));
    const rows = selectRows(table, [...selection.filters, ...filters]);
    if (rows.length === 0) return [];
    return {
      identity: identity.map(({ column, equals }) => ({ equals, target: { table: table.name, column } })),
      values: measures.map((measure) => measureValue(table, measure, formats, total(table, rows, measure))),
    };
  });
  const body = JSON.stringify({ metadata, visualData: [{ visual: visual.id, data }] });
  for (const task of tasks) services.dispatcher.send({ task, visual: visual.id, body, actor: viewer });
};

/** Columns that may identify a point of the visual. */
const identifyingColumns = (visual: Visual): readonly string[] => {
  if (visual.kind === 'kpi') return [];
  if (visual.kind === 'table') return visual.by;
  return [visual.by, visual.seriesBy].filter((column) => column !== undefined);
};

const measureValue = (table: ReportTable, measure: Measure, formats: Formats, value: number) => ({
  // Sums of cents in euros have at most two decimals.
  value: measure.format === 'percent' ? Number(value.toFixed(6)) : Number(value.toFixed(2)),
  formattedValue: formats.full(value, measure.format),
  target: {
    // That of measures of the BI platform.
    $schema: 'http://powerbi.com/product/schema#measure',
    aggregationFunction: measure.per === undefined ? 'Sum' : 'Divide',
    table: table.name,
    column: measure.label,
  },
});
