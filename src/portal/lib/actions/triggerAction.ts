import type { ActionMetadata } from '@vitrine/contract/service';
import { invalidField, notFound } from '../http/portalFailure.ts';
import { type OpenReport, readOpenTable } from '../report/definitions/readReportModel.ts';
import { reportDefinition } from '../report/definitions/reportDefinitions.ts';
import type { ActionRequest } from './actionRequest.ts';
import type { Dispatcher, WebhookTask } from './dispatcher.ts';
import { viewerNumber } from './viewerNumber.ts';
import { findVisual, identifyingColumns, visualData } from './visualData.ts';

/** The result of an action. */
export interface TriggeredAction {
  /** Number of webhooks that it sends. */
  readonly tasks: number;
}

/** Sends the webhooks of every task bound to a visual for a selection in an open report. */
export const triggerAction = async (
  report: OpenReport,
  action: ActionRequest,
  dispatcher: Dispatcher,
): Promise<TriggeredAction> => {
  const { services, tenant, access } = report;
  const { item, content } = access;
  const definition = reportDefinition(item.report);
  const visual = findVisual(definition, action.visual);
  if (visual === undefined) throw notFound('The visual', 'visual');
  const allowed = identifyingColumns(visual);
  const wrong = action.columns.findIndex((column) => !allowed.includes(column));
  if (wrong >= 0) throw invalidField(`columns[${wrong}]`, 'is not a column of this visual');
  const tasks = await findTasks(report, visual.id);
  if (tasks.length === 0) return { tasks: 0 };
  const metadata: ActionMetadata = {
    actionTriggeredAt: new Date(services.clock.now()).toISOString(),
    clientUrl: services.tenantUrl(tenant.tenancyName),
    currentUser: await viewerNumber(services.db, tenant.id, content.userId),
    reportId: item.guid,
    reportName: item.display_name,
    tenancyName: tenant.tenancyName,
    visualName: visual.id,
  };
  const table = await readOpenTable(report);
  const data = visualData({ definition, visual, table, action });
  for (const task of tasks) dispatcher.send(task, { metadata, visualData: [data] });
  return { tasks: tasks.length };
};

const findTasks = async (
  { services, tenant, access }: OpenReport,
  visual: string,
): Promise<WebhookTask[]> => {
  const rows = await services.db
    .selectFrom('tasks')
    .select(['id', 'name', 'webhook_url', 'secret', 'visual_names'])
    .where('tenant_id', '=', tenant.id)
    .where('item_id', '=', access.item.id)
    .where('kind', '=', 'webhook')
    .where('is_enabled', '=', 1)
    .orderBy('id')
    .execute();
  return rows.flatMap((row): WebhookTask[] =>
    // The seed and the control interface write it as a JSON array of strings.
    row.webhook_url !== null && (JSON.parse(row.visual_names) as string[]).includes(visual)
      ? [
          {
            id: row.id,
            name: row.name,
            tenantId: tenant.id,
            tenancyName: tenant.tenancyName,
            url: row.webhook_url,
            secret: row.secret,
          },
        ]
      : [],
  );
};
