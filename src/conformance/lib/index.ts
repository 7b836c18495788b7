export { checks } from './checks.ts';
export { capturedActions } from './checks/webhooks.ts';
export { createContext } from './createContext.ts';
export { findMistake } from './findMistake.ts';
export { conformanceMarkdown, resultsWith } from './report.ts';
export { runChecks } from './run.ts';

export type { Check } from './check.ts';
export type { AdminRequest, CheckContext, MintRequest } from './createContext.ts';
export type { Fields } from './readers.ts';
export type { ConformanceRun } from './report.ts';
export type { CheckResult, Finding, RunOptions } from './run.ts';
export type { Answer } from './send.ts';
export type { CapturedAction, Effect, Target, TenantAccess } from './target.ts';
