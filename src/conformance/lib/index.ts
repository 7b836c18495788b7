export { checks } from './checks/checks.ts';
export { conformanceMarkdown, createConformanceRun } from './conformanceRun.ts';
export { createContext } from './createContext.ts';
export { need } from './difference.ts';
export { addressOf, isFields, isSuccess, readListing, unwrap } from './readers.ts';
export { runChecks } from './runCheck.ts';
export { send } from './send.ts';

export type { Check } from './check.ts';
export type { ConformanceRun } from './conformanceRun.ts';
export type { CheckContext } from './createContext.ts';
export type { Fields } from './readers.ts';
export type { CheckResult, RunOptions } from './runCheck.ts';
export type { Answer } from './send.ts';
export type { ActionLab, Effect, Gesture, ReceivedWebhook, Target, TenantAccess } from './target.ts';
