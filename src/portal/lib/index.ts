import '@vitrine/contract/require-node';

export { envLine, envText, tenantEnvironment } from './console/shared/tenantEnvironment.ts';
export { createPortal } from './createPortal.ts';
export { isLoopback } from './http/reachableUrl.ts';
export { defaultSeed } from './seed/defaultSeed.ts';
export { exportSeed } from './seed/exportSeed.ts';
export { readSeedFile, SeedFileError, writeSeedFile } from './seed/seedFiles.ts';

export type { PortalClock, PortalClockState } from './clock/portalClock.ts';
export type { TenantEnvironment } from './console/shared/tenantEnvironment.ts';
export type { Portal, PortalOptions } from './createPortal.ts';
export type { ActiveFault, PortalFaults } from './faults/createFaults.ts';
export type { Fault, FaultEffect } from './faults/fault.ts';
export type { DeliveryFilter, LoggedDelivery, PortalDeliveries } from './logs/deliveryLog.ts';
export type { LoggedRequest, PortalRequests, RequestFilter } from './logs/requestLog.ts';
export type { WaitOptions } from './logs/createLog.ts';
export type { SeedProblem } from './seed/seedFiles.ts';
export type { TenantChange } from './portalParts.ts';
export type { ReportKind } from './reports/shared/reportKinds.ts';
export type { RowRule } from './rowSecurity.ts';
export type { PortalSeed } from './seed/portalSeed.ts';
export type { NewTenantOptions } from './tenants/createTenant.ts';
export type { PortalTenant, PortalTenantItem } from './tenants/describeTenants.ts';
