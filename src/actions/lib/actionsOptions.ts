import type { PortalConnectionInput } from '@vitrine/portal-client';
import type { Logger, OpenTelemetryApi } from '@vitrine/server';
import type { OnDiagnostic } from './diagnostics.ts';
import type { Audience } from './dispatch/audience.ts';
import type { ItemIdOf } from './dispatch/publisher.ts';
import type { ActionHandlers } from './dispatch/routes.ts';
import type { ActionInbox } from './inbox/actionInbox.ts';
import type { KeepRejectedOptions } from './receive/rejectedBodies.ts';
import type { SecretPolicy, WebhookSecrets } from './receive/webhookSecrets.ts';

/** Bounds of the pauses between attempts, in milliseconds. */
export interface BackoffOptions {
  /** Pause after the first failure. Default: 1 second. */
  readonly firstMs?: number;
  /** Longest pause. Default: 10 minutes. */
  readonly maxMs?: number;
}

/** How deliveries are handed to handlers. */
export interface DispatchOptions {
  /** Handlers running at once in this process. Default: 16. */
  readonly concurrency?: number;
  /** Time of one attempt, in milliseconds; then its signal fires and the attempt counts as failed. Default: 30 seconds. */
  readonly timeoutMs?: number;
  /**
   * How long an event belongs to the process that took it, in milliseconds; after that another takes it over. Must outlast
   * an attempt, the questions after it and the writing of its result. Default: `timeoutMs` and a minute.
   */
  readonly leaseMs?: number;
  /** Attempts before an event is dead. Default: 8. */
  readonly maxAttempts?: number;
  /** Pauses between attempts. */
  readonly backoff?: BackoffOptions;
  /** What becomes of flagged duplicates: `deliver` (default) or `skip`. */
  readonly duplicates?: 'deliver' | 'skip';
  /** How often to look for deliveries nobody announced: retries, those of an ended process. Default: 1 second. */
  readonly pollMs?: number;
}

/** How actions are streamed to browsers. */
export interface StreamOptions {
  /** Time that `canView` has for one viewer and one action, in milliseconds; then the viewer does not get it. Default: 10 seconds. */
  readonly timeoutMs?: number;
  /** Pause between heartbeats, in milliseconds. Default: 15 seconds. */
  readonly heartbeatMs?: number;
  /** A stream ends after about this long and the browser returns, so that access is checked again. Default: 5 minutes. */
  readonly maxStreamMs?: number;
  /**
   * Streams that one viewer may have open in this process; one more is answered 429 and tried again later. A browser needs
   * one, however many tabs it has. Default: 100.
   */
  readonly maxStreamsPerViewer?: number;
  /** Actions older than this are no longer shown to anybody, in milliseconds. Default: 5 minutes. */
  readonly maxAgeMs?: number;
  /** How often to check for actions that no one announced, such as another process's on one SQLite file. Default: 1 second. */
  readonly pollMs?: number;
}

/** Options of `createActions`. */
export interface ActionsOptions {
  /** Tokens configured on the Action Task. Several during a rotation. Each at least 32 bytes. */
  readonly secrets: WebhookSecrets;
  /** Where deliveries are stored before they are acknowledged. */
  readonly inbox: ActionInbox;
  /** Who gets an action. Required: nothing is delivered to anybody whom it does not name. */
  readonly audience: Audience;
  /**
   * The portal, which is asked for the e-mail address of the clicker and the number of the report. Not needed with the audience
   * `nobody`, or where `itemIdOf` and a function `audience` answer both.
   */
  readonly portal?: PortalConnectionInput;
  /** Finds an item's number by the GUID of the webhook, instead of asking the portal. */
  readonly itemIdOf?: ItemIdOf;
  /** Handlers. Without any, actions still reach the viewers. */
  readonly on?: ActionHandlers;
  /** How events are handed to handlers; `false` only stores them, for a process that does nothing else. */
  readonly dispatch?: DispatchOptions | false;
  /** How actions are streamed to browsers. */
  readonly stream?: StreamOptions;
  /** Time that `audience` and the look-up of the item each have for one action, in milliseconds. Default: 10 seconds. */
  readonly lookupTimeoutMs?: number;
  /** Permits weaker secrets. Default: `strict`. */
  readonly secretPolicy?: SecretPolicy;
  /** IP addresses and ranges that may post. Default: all; the token is the check that counts. */
  readonly allowedSources?: readonly string[];
  /**
   * Keeps the bodies of deliveries whose token was rejected, so that a token changed on one side alone costs none: fix the
   * secrets, then `vitrine actions accept <folder>`. Anybody can fill it, so it is small. Default: nothing is kept.
   */
  readonly keepRejected?: KeepRejectedOptions;
  /** Largest body, in bytes; a larger one is rejected with 413 and reported. Default: 5 MiB. */
  readonly maxBodyBytes?: number;
  /** Bytes of bodies held in memory at once; beyond it sockets are left unread. Default: 64 MiB. */
  readonly maxBytesInFlight?: number;
  /**
   * Longest time a body may take to arrive once it is read, in milliseconds; a slower one is rejected with 408 and reported,
   * because what it declared is held for it in `maxBytesInFlight`. Default: 10 seconds.
   */
  readonly bodyTimeoutMs?: number;
  /**
   * How long handled deliveries are kept, in milliseconds; `false` keeps them for ever. Those that wait, are parked or dead
   * stay in any case. Default: 30 days.
   */
  readonly keepHandledMs?: number | false;
  /** Warns when no delivery has arrived for so long, in milliseconds. Default: never, because only you know what is usual. */
  readonly quietAfterMs?: number;
  /** Where diagnostics go: `pino()` or `console`. Default: warnings and errors on the console. */
  readonly logger?: Logger;
  /** Gets the same diagnostics as data, instead of `logger`. */
  readonly onDiagnostic?: OnDiagnostic;
  /** The module `@opentelemetry/api`, for measurements of webhooks, actions and streams. Default: none. */
  readonly openTelemetry?: OpenTelemetryApi;
  /** The present moment in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
  /** A random number in [0, 1). Default: `Math.random`. */
  readonly random?: () => number;
}
