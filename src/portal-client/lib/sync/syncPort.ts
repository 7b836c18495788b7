import type {
  ItemInput,
  OrganizationUnitInput,
  RoleInput,
  UserInput,
  UserPatch,
} from '@vitrine/contract/service';
import type { Item } from '../resources/item.ts';
import type { OrganizationUnit } from '../resources/organizationUnit.ts';
import type { Role } from '../resources/role.ts';
import type { User, UserId } from '../resources/user.ts';

interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
}

/** The reads for planning and checking: only lists, so that planning cannot write. */
export interface SyncReader {
  /** The `baseUrl` of the tenant; a plan is only applied to its own. */
  readonly baseUrl: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly users: (options: ReadOptions) => AsyncIterable<User>;
  readonly roles: (options: ReadOptions) => AsyncIterable<Role>;
  readonly organizationUnits: (options: ReadOptions) => AsyncIterable<OrganizationUnit>;
  readonly items: (options: ReadOptions) => AsyncIterable<Item>;
}

/** The writes of a run. A response without the row is not a failure: the result is then unknown. */
export interface SyncWriter {
  readonly createRole: (input: RoleInput) => Promise<void>;
  readonly createUnit: (input: OrganizationUnitInput) => Promise<string | undefined>;
  readonly createItem: (input: ItemInput) => Promise<void>;
  readonly getUser: (userId: UserId) => Promise<User | undefined>;
  readonly createUser: (input: UserInput) => Promise<User | undefined>;
  readonly updateUser: (userId: UserId, patch: UserPatch) => Promise<User | undefined>;
  readonly deleteUser: (userId: UserId) => Promise<void>;
}

/** The portal operations for syncing. The client implements them over HTTP. Failures are `PortalError`s. */
export interface SyncPort {
  readonly reader: SyncReader;
  /** Opens the writes of one run, which the signal aborts. */
  readonly openWriter: (signal: AbortSignal | undefined) => SyncWriter;
}
