import type { PortalConnectionInput } from '@vitrine/portal-client';
import type { Logger, OpenTelemetryApi } from '@vitrine/server';
import type { OnDiagnostic } from './diagnostics.ts';
import type { Audience, ItemIdOf } from './dispatch/createPublisher.ts';
import type { ActionHandlers } from './dispatch/routes.ts';
import type { ActionInbox } from './inbox/actionInbox.ts';
import type { SecretPolicy, WebhookSecrets } from './receive/webhookSecrets.ts';

/** Delays between attempts, in milliseconds. */
export interface BackoffOptions {
  /** Delay after the first failure. Default: 1 second. */
  readonly firstMs?: number;
  /** Maximum delay. Default: 10 minutes. */
  readonly maxMs?: number;
}

/** How deliveries reach handlers. */
export interface DispatchOptions {
  /** Maximum number of concurrent handlers in this process. Default: 16. */
  readonly concurrency?: number;
  /** Time limit of one attempt, in milliseconds; then its signal aborts and the attempt counts as failed. Default: 30 seconds. */
  readonly timeoutMs?: number;
  /**
   * How long an event is leased to a process, in milliseconds; then another process can take it. Must be longer than an
   * attempt, the lookups after it and the writing of its result. Default: `timeoutMs` plus one minute.
   */
  readonly leaseMs?: number;
  /** Attempts before an event is a dead letter. Default: 8. */
  readonly maxAttempts?: number;
  /** Delays between attempts. */
  readonly backoff?: BackoffOptions;
  /** Whether to `deliver` (default) or `skip` flagged duplicates. */
  readonly duplicates?: 'deliver' | 'skip';
  /** How often to check for unannounced deliveries: retries, and those of an ended process. Default: 1 second. */
  readonly pollMs?: number;
}

/** How actions are streamed to browsers. */
export interface StreamOptions {
  /** Time limit of `canView` for one viewer and one action, in milliseconds; after it, the viewer does not get the action. Default: 10 seconds. */
  readonly timeoutMs?: number;
  /** Time between heartbeats, in milliseconds. Default: 15 seconds. */
  readonly heartbeatMs?: number;
  /** A stream ends after about this time, in milliseconds, and the browser reconnects, so that access is checked again. Default: 5 minutes. */
  readonly maxStreamMs?: number;
  /**
   * Maximum number of open streams per viewer in this process; further streams get 429 and retry later. A browser needs one
   * for all its tabs. Default: 100.
   */
  readonly maxStreamsPerViewer?: number;
  /** Maximum age of an action that is delivered, in milliseconds. Default: 5 minutes. */
  readonly maxAgeMs?: number;
  /** How often to check for unannounced actions, such as those of another process with the same SQLite file. Default: 1 second. */
  readonly pollMs?: number;
}

/** Options of `createActions`. */
export interface ActionsOptions {
  /** Tokens of the Action Task; several during a rotation. Each at least 32 bytes. */
  readonly secrets: WebhookSecrets;
  /** Where deliveries are stored before they are acknowledged. */
  readonly inbox: ActionInbox;
  /** Who gets an action. Required: nobody else gets it. */
  readonly audience: Audience;
  /**
   * The portal, which looks up the email address of the clicker and the item ID of the report. Not needed with the audience
   * `nobody`, or with `itemIdOf` and a function as `audience`.
   */
  readonly portal?: PortalConnectionInput;
  /** Returns the item ID for the GUID in a webhook, instead of the portal's lookup. */
  readonly itemIdOf?: ItemIdOf;
  /** Handlers. Without them, actions still reach the viewers. */
  readonly on?: ActionHandlers;
  /** How events reach handlers; `false` only stores them, for a process that only receives. */
  readonly dispatch?: DispatchOptions | false;
  /** How actions are streamed to browsers. */
  readonly stream?: StreamOptions;
  /** Time limit of `audience` and of the item lookup for one action, in milliseconds. Default: 10 seconds. */
  readonly lookupTimeoutMs?: number;
  /** Allows weaker secrets. Default: `strict`. */
  readonly secretPolicy?: SecretPolicy;
  /** IP addresses and ranges that may post. Default: all; the token is the main check. */
  readonly allowedSources?: readonly string[];
  /** Largest body, in bytes, as sent and decompressed; a larger one is rejected with 413 and reported. Default: 5 MiB. */
  readonly maxBodyBytes?: number;
  /** Maximum bytes of bodies in memory; beyond it, sockets are not read. Default: 64 MiB. */
  readonly maxBytesInFlight?: number;
  /**
   * Time limit for receiving a body, in milliseconds; a slower one is rejected with 408 and reported, because it reserves
   * its size in `maxBytesInFlight`. Default: 10 seconds.
   */
  readonly bodyTimeoutMs?: number;
  /**
   * How long handled deliveries are kept, in milliseconds; `false` keeps them forever. Waiting, parked and dead ones are
   * never removed. Default: 30 days.
   */
  readonly keepHandledMs?: number | false;
  /** Logger for diagnostics: `pino()` or `console`. Default: warnings and errors on the console. */
  readonly logger?: Logger;
  /** Receives the diagnostics as data, instead of `logger`. */
  readonly onDiagnostic?: OnDiagnostic;
  /** The module `@opentelemetry/api`, for metrics of webhooks, actions and streams. Default: none. */
  readonly openTelemetry?: OpenTelemetryApi;
  /** The current time in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
  /** A random number in [0, 1). Default: `Math.random`. */
  readonly random?: () => number;
}
