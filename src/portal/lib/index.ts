export { createPortal } from './createPortal.ts';
export { defaultSeed } from './seed/defaultSeed.ts';
export { exportSeed } from './seed/exportSeed.ts';
export { SeedFileError } from './seed/parseSeed.ts';
export { readSeedFile, writeSeedFile } from './seed/seedFiles.ts';

export type { PortalClock, PortalClockState, TimeSource } from './clock/portalClock.ts';
export type { PortalSnapshot, TenantChange } from './control/portalControl.ts';
export type { Portal, PortalOptions } from './createPortal.ts';
export type { ActiveFault, PortalFaults } from './faults/createFaults.ts';
export type { Fault, FaultEffect } from './faults/faultSchema.ts';
export type { DeliveryFilter, LoggedDelivery, PortalDeliveries } from './logs/deliveryLog.ts';
export type { LoggedRequest, PortalRequests, RequestFilter } from './logs/requestLog.ts';
export type { WaitOptions } from './logs/waitFor.ts';
export type { ProfileChoice } from './profiles/profileSchema.ts';
export type { SeedProblem } from './seed/parseSeed.ts';
export type { PortalSeed, ReportKind, RowRule } from './seed/seedSchema.ts';
export type { NewTenantOptions } from './tenants/createTenant.ts';
export type { PortalTenant, PortalTenantItem } from './tenants/describeTenants.ts';
