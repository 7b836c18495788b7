/** The names that code fragments of the documentation use without importing them. */
import type { createServer as CreateServer, Server } from 'node:http';
import type * as Vitrine from '@vitrine/express';
import type { EmbeddedReport as Report } from '@vitrine/react';
import type { Express, Request, RequestHandler } from 'express';

interface HostRequest extends Request {
  readonly user?: { readonly email: string; readonly regions: readonly string[] };
}

declare global {
  type AnyOption = Partial<Vitrine.VitrineOptions<HostRequest> & Vitrine.ActionsOptions>;
  var EmbeddedReport: typeof Report;
  var createActions: typeof Vitrine.createActions;
  var createServer: typeof CreateServer;
  var portalFromEnv: typeof Vitrine.portalFromEnv;
  var sqliteInbox: typeof Vitrine.sqliteInbox;
  var vitrine: typeof Vitrine.vitrine;
  var app: Express;
  var actions: Vitrine.Actions;
  var server: Server;
  var embed: Vitrine.VitrineHandler;
  var portal: ReturnType<typeof Vitrine.portalFromEnv>;
  var redis: object;
  var viewer: () => Vitrine.Viewer | undefined;
  var canView: () => boolean;
  var requireOperator: RequestHandler;
  var auditLog: { write(record: object): void };
  var Sentry: { captureException(error: unknown, context: object): void };
  var createOrder: (rows: readonly object[], options: { idempotencyKey: string }) => Promise<{ id: number }>;
}
