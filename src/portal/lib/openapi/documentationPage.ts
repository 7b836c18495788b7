import { apiKeyHeader } from '@vitrine/contract/service';
import { assets } from '../assets/assets.ts';
import { htmlReply, type PortalReply } from '../http/portalReply.ts';
import { escapeHtml } from '../reports/escapeHtml.ts';
import { pageHeaders } from '../reports/pageHeaders.ts';
import { type DocumentedField, documentedFields } from './documentedFields.ts';
import type { JsonObject, JsonSchema } from './jsonSchema.ts';
import { withoutReferences } from './namedSchemas.ts';
import type { DocumentedEvent } from './openApiDocument.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly 'x-provenance'?: string;
}

interface Content {
  readonly content?: { readonly 'application/json'?: { readonly schema: JsonSchema } };
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly 'x-provenance': string;
  readonly 'x-permission': string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>;
}

const provenanceClass = (text: string) =>
  text.startsWith('interface') ? 'stated' : text === 'extension' ? 'extension' : 'chosen';

const badge = (text: string) =>
  text === '' ? '' : `<span class="provenance ${provenanceClass(text)}">${escapeHtml(text)}</span>`;

/** A description of the schemas: text in backticks is code. */
const prose = (text: string) => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const scrollingTable = (label: string, head: readonly string[], rows: readonly string[]): string =>
  `<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table><thead><tr>${head
    .map((title) => `<th scope="col">${title}</th>`)
    .join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;

const fieldTable = (label: string, fields: readonly DocumentedField[]): string =>
  fields.length === 0
    ? ''
    : scrollingTable(
        label,
        ['Field', 'Type', 'Meaning', 'Defined by'],
        fields.map(
          (field) =>
            `<tr><td><code>${escapeHtml(field.name)}</code>${field.isRequired ? ' <span class="required">required</span>' : ''}</td><td>${escapeHtml(field.type)}</td><td>${prose(field.description)}</td><td>${badge(field.provenance)}</td></tr>`,
        ),
      );

const eventSection = (events: readonly DocumentedEvent[]): string =>
  `<section id="audit-events"><h2>Events of the audit log</h2><p>This table shows what causes each type of event. The paths under <code>/_control</code> belong to this portal, for changes without an endpoint of the service.</p>${scrollingTable(
    'Events of the audit log',
    ['Type', 'Caused by', 'Defined by'],
    events.map(
      (event) =>
        `<tr><td><code>${escapeHtml(event.actionType)}</code></td><td>${escapeHtml(event.cause)}</td><td>${badge(event['x-provenance'])}</td></tr>`,
    ),
  )}</section>`;

const schemaIn = (part: Content | undefined): JsonSchema | undefined =>
  part?.content?.['application/json']?.schema;

const operationSection = (method: string, path: string, operation: DocumentedOperation): string => {
  const parameters = operation.parameters.map(
    (parameter): DocumentedField => ({
      name: parameter.name,
      type: `${parameter.in}, ${String(parameter.schema.type ?? 'string')}`,
      isRequired: parameter.required,
      description: parameter.description ?? '',
      provenance: parameter['x-provenance'] ?? '',
    }),
  );
  const body = schemaIn(operation.requestBody);
  const [status = '', success] = Object.entries(operation.responses)[0] ?? [];
  const answer = schemaIn(success);
  const others = Object.entries(operation.responses).slice(1);
  const name = escapeHtml(operation.operationId);
  return `<section id="${name}"><h2><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></h2>
<p>${prose(operation.summary)} ${badge(operation['x-provenance'])}</p><p class="permission">Permission: ${escapeHtml(operation['x-permission'])}</p>
${parameters.length > 0 ? `<h3>Parameters</h3>${fieldTable(`Parameters of ${name}`, parameters)}` : ''}
${body === undefined ? '' : `<h3>Body</h3>${fieldTable(`Body of ${name}`, documentedFields(body))}`}
<h3>Response ${escapeHtml(status)}</h3>${answer === undefined ? '<p>No body.</p>' : fieldTable(`Response of ${name}`, documentedFields(answer))}
<ul class="refusals">${others.map(([code, response]) => `<li><b>${escapeHtml(code)}</b> ${escapeHtml(response.description)}</li>`).join('')}</ul></section>`;
};

/** The documentation as one page without network requests and scripts. */
export const documentationPage = (named: JsonObject): PortalReply => {
  const { schemas } = named['components'] as { readonly schemas: Readonly<Record<string, JsonSchema>> };
  const document = withoutReferences(named, schemas) as JsonObject;
  // openApiDocument returns these fields.
  const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      'operationId' in operation ? [{ path, method, operation }] : [],
    ),
  );
  // As above.
  const events = document['x-audit-events'] as readonly DocumentedEvent[];
  const tags = [...new Set(all.flatMap(({ operation }) => operation.tags))];
  const files = assets();
  return htmlReply(
    200,
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Portal API</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${files.url('console-style.css')}"></head><body class="docs">
<nav aria-label="Endpoints"><a class="brand" href="/">Portal</a>${tags
      .map(
        (tag) =>
          `<h2>${escapeHtml(tag)}</h2><ul>${all
            .filter(({ operation }) => operation.tags.includes(tag))
            .map(
              ({ method, path, operation }) =>
                `<li><a href="#${escapeHtml(operation.operationId)}"><span class="method ${method}">${method.toUpperCase()}</span> ${escapeHtml(path.replace('/api/services/app/ItemLinks/', '…/'))}</a></li>`,
            )
            .join('')}</ul>`,
      )
      .join('')}<h2>Events</h2><ul><li><a href="#audit-events">Events of the audit log</a></li></ul></nav>
<main><h1>Portal API</h1><p>Send the API key as <code>Authorization: Bearer …</code> to administration and audit log, and as <code>${apiKeyHeader}: ApiKey …</code> to the embedding endpoint. The schemas on this page validate every request. <a href="/docs/try">Try it</a> · <a href="/openapi.json">OpenAPI 3.1 document</a></p>
<p>${badge('interface')} defined by the interface, with its section · ${badge('our choice')} left open by the interface · ${badge('extension')} not part of the interface</p>
${all.map(({ method, path, operation }) => operationSection(method, path, operation)).join('\n')}
${eventSection(events)}</main></body></html>`,
    pageHeaders({ frameAncestors: "'none'", hasInlineStyle: false }),
  );
};
