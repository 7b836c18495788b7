import { gzipSync } from 'node:zlib';
import { acceptsGzip } from '../http/acceptsGzip.ts';
import { htmlReply, type PortalReply, pagePolicy } from '../http/portalReply.ts';
import type { PortalRequest } from '../http/portalRequest.ts';
import { reportDefinition } from './definitions/reportDefinitions.ts';
import { escapeHtml } from './messagePage.ts';
import { findTasks, type OpenReport, readOpenTable } from './reportAccess.ts';
import type { ReportModel } from './shared/reportModel.ts';
import { recordViewer } from './viewer.ts';

/** A value as JSON that is safe inside a script element. */
const jsonForScript = (value: unknown): string =>
  JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029');

/** The page of a report, with only the rows that its key opens. */
export const reportPage = async (report: OpenReport, request: PortalRequest): Promise<PortalReply> => {
  const { services, tenant, item, content } = report;
  const { subtitle, measures, slicers, pages } = reportDefinition(item.report);
  const model: ReportModel = {
    itemId: item.id,
    title: item.displayName,
    roleNames: content.roleNames,
    table: await readOpenTable(report),
    measures,
    slicers,
    pages,
    boundVisuals: [...new Set((await findTasks(report)).flatMap(({ visualNames }) => visualNames))],
    endsInMs: content.expiresAtMs - services.clock.now(),
  };
  if (request.method !== 'HEAD')
    await recordViewer(report, request, ['ReportViewed', 'The report', 'was opened']);
  const files = services.assets();
  const viewer =
    `<b><bdi>${escapeHtml(content.userId)}</bdi></b>` +
    (item.hasRls && content.roleNames.length > 0 ? ` · ${escapeHtml(content.roleNames.join(', '))}` : '');
  const html = `<!doctype html>
<html lang="en" data-portal-state="ready">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(model.title)} · ${escapeHtml(tenant.displayName)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${files.url('report-style.css')}">
<script type="module" src="${files.url('report.js')}"></script>
</head>
<body>
<main class="page" aria-labelledby="title">
<div class="top"><h1 id="title">${escapeHtml(model.title)}</h1><p class="subtitle">${escapeHtml(subtitle)}</p><p class="viewer">Shown to ${viewer}</p></div>
<div id="report"></div>
</main>
<script type="application/json" id="report-model">${jsonForScript(model)}</script>
</body>
</html>`;
  const headers = pagePolicy({ 'frame-ancestors': tenant.frameAncestors });
  if (!acceptsGzip(request.headers['accept-encoding'])) return htmlReply(200, html, headers);
  return {
    ...htmlReply(200, '', { ...headers, 'content-encoding': 'gzip', vary: 'accept-encoding' }),
    // The rows are a hundred kilobytes of numbers; the fastest compression level halves the default's time.
    body: gzipSync(html, { level: 3 }),
  };
};
