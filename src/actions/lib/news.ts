import { type Logger } from '@vitrine/server';
import { defaultLogger, safely } from '@vitrine/server/internal';
import type { StoreNews } from './inbox/sqlite/messages.ts';

/** Something an operator should know about actions. None of it holds a secret or what a viewer selected. */
export type ActionNews =
  /** A delivery was refused before it was stored: it is lost, because the sender never retries. */
  | { readonly kind: 'refused'; readonly reason: 'token' | 'source'; readonly source: string | undefined }
  | { readonly kind: 'refused'; readonly reason: 'too-large'; readonly limitBytes: number }
  | { readonly kind: 'refused'; readonly reason: 'aborted' }
  | { readonly kind: 'refused'; readonly reason: 'slow'; readonly limitMs: number }
  /**
   * The function `secrets` throws or gives a list that cannot be used; told once until it is well again. While it throws,
   * the last known secrets count; a delivery that cannot be judged is answered 503, and kept where `keepRefused` says so.
   */
  | { readonly kind: 'secrets-away'; readonly reason: string }
  /** No delivery has arrived for `quietAfterMs`; told once until the next arrives. */
  | { readonly kind: 'quiet'; readonly lastAtMs: number | undefined; readonly forMs: number }
  /** A delivery could not be made durable and was answered with 503. */
  | { readonly kind: 'unstored'; readonly error: unknown }
  /** A body parser ran before the webhook: bodies it refuses never arrive, and the original bytes are gone. */
  | { readonly kind: 'body-parsed-before' }
  /** A stored delivery cannot be understood; it waits for a person. */
  | { readonly kind: 'parked'; readonly deliveryId: string; readonly reason: string }
  /** A handler failed; another attempt follows. */
  | {
      readonly kind: 'handler-failed';
      readonly deliveryId: string;
      readonly attempt: number;
      readonly retryInMs: number;
      readonly error: unknown;
    }
  /** Every attempt failed. */
  | { readonly kind: 'dead'; readonly deliveryId: string; readonly attempts: number; readonly error: unknown }
  /** The inbox itself does not answer; dispatch tries again. */
  | { readonly kind: 'inbox-failed'; readonly error: unknown }
  /** An `audience` function threw, so nobody got the action. */
  | { readonly kind: 'audience-failed'; readonly deliveryId: string; readonly error: unknown }
  /** `canView` threw, or did not answer in time, so at least one viewer did not get the action. Told once for an action. */
  | { readonly kind: 'access-failed'; readonly deliveryId: string; readonly error: unknown }
  /** News of the SQLite file: damage, spilling, recovery. */
  | { readonly kind: 'store'; readonly news: StoreNews };

/** Takes news. What it throws goes nowhere: a broken log must cost no delivery. */
export type ReportNews = (news: ActionNews) => void;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown error');

/** One sentence for an operator: what happened and what to do. */
export const describeNews = (news: ActionNews): string => {
  switch (news.kind) {
    case 'refused':
      switch (news.reason) {
        case 'token':
          return 'An action webhook was refused: its token matches none of `secrets`. If the token was just changed on the Action Task, add the new one.';
        case 'source':
          return `An action webhook from ${news.source ?? 'an unknown address'} was refused: the address is not in \`allowedSources\`.`;
        case 'too-large':
          return `An action webhook was refused: its body is over ${news.limitBytes} bytes. Raise \`maxBodyBytes\` if such selections are expected.`;
        case 'aborted':
          return 'The sender of an action webhook hung up before its body had arrived.';
        case 'slow':
          return `An action webhook was refused: its body had not arrived after ${news.limitMs} ms. Raise \`bodyTimeoutMs\` if the way from the portal is that slow.`;
      }
    // falls through is impossible: every reason returned
    case 'secrets-away':
      return `The secrets of the action webhook cannot be had (${news.reason}). Those known last count as long as the function throws; a delivery that matches none of them is answered with 503 until this is mended.`;
    case 'quiet':
      return `No action has arrived for ${Math.round(news.forMs / 60_000)} minutes. If that is unusual, look whether the Action Task is enabled, its token is one of \`secrets\`, and its URL still reaches this host.`;
    case 'unstored':
      return `An action webhook could not be stored and was answered with 503: ${messageOf(news.error)}`;
    case 'body-parsed-before':
      return 'A body parser runs before the action webhook, and a body it refuses is lost. Mount the webhook before it.';
    case 'parked':
      return `Action ${news.deliveryId} is parked: ${news.reason} See \`vitrine actions show ${news.deliveryId}\`.`;
    case 'handler-failed':
      return `The handler of action ${news.deliveryId} failed at attempt ${news.attempt} (next in ${news.retryInMs} ms): ${messageOf(news.error)}`;
    case 'dead':
      return `Action ${news.deliveryId} failed ${news.attempts} times and is dead: ${messageOf(news.error)} Mend the handler, then \`vitrine actions replay ${news.deliveryId}\`.`;
    case 'inbox-failed':
      return `The action inbox does not answer: ${messageOf(news.error)}`;
    case 'audience-failed':
      return `audience() failed for action ${news.deliveryId}, so nobody gets it: ${messageOf(news.error)}`;
    case 'access-failed':
      return `canView() failed for action ${news.deliveryId}, so a viewer does not get it: ${messageOf(news.error)}`;
    case 'store':
      switch (news.news.kind) {
        case 'damaged':
          return `The action inbox was damaged (${news.news.error}). It was moved to ${news.news.movedTo}; a fresh one took over with ${news.news.salvaged} unfinished deliveries.`;
        case 'spilling':
          return `The action inbox cannot be written (${news.news.error}); deliveries go to its spill folder until it can.`;
        case 'low-disk':
          return `The disk of the action inbox has ${Math.round(news.news.freeBytes / 2 ** 20)} MiB left. When it is full, deliveries go to the spill folder, and are refused when that is full too.`;
        case 'recovered':
          return `The action inbox took over ${news.news.imported} deliveries from its spill folder.`;
        case 'spill-damaged':
          return `A file of the action inbox's spill folder is damaged in ${news.news.damagedPlaces} place(s), and the deliveries there are lost; ${news.news.imported} others of it were taken over. It is kept as ${news.news.keptAs} for you to look at.`;
      }
  }
};

/** What may pass by itself; the rest needs a person. */
const warnings: ReadonlySet<ActionNews['kind']> = new Set([
  'handler-failed',
  'body-parsed-before',
  'refused',
  'quiet',
]);

/** Writes news to a logger. */
export const newsLogger =
  (logger: Pick<Logger, 'warn' | 'error'>): ReportNews =>
  (news) =>
    warnings.has(news.kind)
      ? logger.warn({ news: news.kind }, describeNews(news))
      : logger.error({ news: news.kind }, describeNews(news));

/** Where news go: to `report`, or else to `logger`. What either of them throws, at once or later, goes nowhere. */
export const safeReport = (report: ReportNews | undefined, logger: Logger | undefined): ReportNews =>
  safely(report ?? newsLogger(logger ?? defaultLogger()));
