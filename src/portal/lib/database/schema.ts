import type { Generated, Selectable } from 'kysely';

/** A column: the same in SQLite and Postgres. */
interface Column {
  readonly type: 'text' | 'integer';
  readonly isNullable?: true;
  /** Primary key: given, or a number that the database generates and never uses again. */
  readonly key?: 'given' | 'generated';
}

const text = { type: 'text' } as const;
const optionalText = { type: 'text', isNullable: true } as const;
const integer = { type: 'integer' } as const;
const optionalInteger = { type: 'integer', isNullable: true } as const;
const generatedKey = { type: 'integer', key: 'generated' } as const;
/** A JSON document. */
const json = text;
/** 0 or 1. */
const flag = integer;
/** Milliseconds since 1970-01-01T00:00:00Z. */
const time = integer;
const optionalTime = optionalInteger;

/** A table with its indexes: the columns of each. */
export interface Table {
  readonly columns: Readonly<Record<string, Column>>;
  readonly unique?: readonly (readonly string[])[];
  readonly indexes?: readonly (readonly string[])[];
}

/** Every table of the portal. There are no migrations before the first release: a portal creates all or none. */
export const schema = {
  meta: { columns: { key: { type: 'text', key: 'given' }, value: text } },

  tenants: {
    columns: {
      id: { type: 'integer', key: 'given' },
      tenancy_name: text,
      display_name: text,
      passphrase_digest: text,
      // 32 random bytes, base64: seals and opens this tenant's encrypted keys.
      seal_key: text,
      // Sources allowed to frame the report pages, as in CSP `frame-ancestors`.
      frame_ancestors: text,
      // Number of the newest audit record: the records of a tenant are numbered without gaps.
      audit_seq: integer,
      // Sample data of imported items; a copied tenant shares that of its template.
      dataset: text,
      is_template: flag,
      created_at: time,
    },
    unique: [['tenancy_name']],
  },

  api_keys: {
    columns: {
      id: generatedKey,
      tenant_id: integer,
      name: text,
      // SHA-256 of the key, hex. The key itself is not stored.
      digest: text,
      permissions: json,
      // User that the key was issued to: the actor in the audit log.
      user_id: optionalInteger,
      revoked_at: optionalTime,
      created_at: time,
    },
    unique: [['digest']],
  },

  users: {
    columns: {
      id: generatedKey,
      tenant_id: integer,
      type: text,
      email: text,
      // For uniqueness, ignoring case.
      email_key: text,
      first_name: text,
      last_name: text,
      is_active: flag,
      directory_person_id: optionalText,
      created_at: time,
      updated_at: time,
      last_login_at: optionalTime,
    },
    unique: [['tenant_id', 'email_key']],
    indexes: [['tenant_id', 'id']],
  },

  roles: {
    columns: {
      id: generatedKey,
      tenant_id: integer,
      name: text,
      name_key: text,
      type: text,
      code: optionalText,
      description: text,
      is_system: flag,
      // Row rule of an RLS role, see `RowRule`.
      rule: { ...json, isNullable: true },
      created_at: time,
    },
    unique: [
      ['tenant_id', 'name_key'],
      ['tenant_id', 'code'],
    ],
  },

  user_roles: {
    columns: { tenant_id: integer, user_id: integer, role_id: integer },
    unique: [['user_id', 'role_id']],
  },

  organization_units: {
    columns: {
      id: generatedKey,
      tenant_id: integer,
      name: text,
      // Null at the top.
      parent_id: optionalInteger,
      directory_group_id: optionalText,
      created_at: time,
    },
    indexes: [['tenant_id']],
  },

  memberships: {
    columns: {
      tenant_id: integer,
      user_id: integer,
      organization_unit_id: integer,
      // `manual` or `directory`; a synchronization only removes memberships of synchronizations.
      source: text,
    },
    unique: [['user_id', 'organization_unit_id']],
    indexes: [['organization_unit_id']],
  },

  directory_groups: {
    columns: { tenant_id: integer, id: text, name: text },
    unique: [['tenant_id', 'id']],
  },

  directory_people: {
    columns: {
      tenant_id: integer,
      id: text,
      email: text,
      first_name: text,
      last_name: text,
      type: text,
    },
    unique: [['tenant_id', 'id']],
  },

  directory_members: {
    columns: { tenant_id: integer, group_id: text, person_id: text },
    unique: [['tenant_id', 'group_id', 'person_id']],
  },

  items: {
    columns: {
      tenant_id: integer,
      // The Item ID as a number, unique in its tenant, and as a GUID.
      id: integer,
      guid: text,
      type: text,
      workspace_id: text,
      report_id: text,
      display_name: text,
      roles: json,
      additional_data: json,
      has_rls: flag,
      // Which report page draws the item, and which sample data.
      report: text,
      dataset: text,
      created_at: time,
    },
    unique: [['tenant_id', 'id'], ['guid']],
  },

  tasks: {
    columns: {
      id: generatedKey,
      tenant_id: integer,
      name: text,
      description: text,
      kind: text,
      item_id: optionalInteger,
      visual_names: json,
      webhook_url: optionalText,
      secret: optionalText,
      query: optionalText,
      is_enabled: flag,
      created_at: time,
    },
    indexes: [['tenant_id']],
  },

  links: {
    columns: {
      id: generatedKey,
      tenant_id: integer,
      kind: text,
      name: text,
      item_id: integer,
      user_id: optionalText,
      expires_at: optionalTime,
      // The requested expiry, if it was shortened; else null.
      requested_expires_at: optionalTime,
      revoked_at: optionalTime,
      created_at: time,
    },
    indexes: [['tenant_id', 'expires_at']],
  },

  viewers: {
    columns: { id: generatedKey, tenant_id: integer, user_id: text },
    unique: [['tenant_id', 'user_id']],
  },

  audit_logs: {
    columns: {
      id: generatedKey,
      tenant_id: integer,
      // 1, 2, 3 … per tenant, without gaps.
      seq: integer,
      action_type: text,
      at: time,
      user_id: optionalInteger,
      user_email: optionalText,
      resource_type: text,
      resource_id: text,
      description: text,
      result: text,
      ip_address: optionalText,
      details: json,
    },
    unique: [['tenant_id', 'seq']],
    // The log is read by time, and by number for equal times.
    indexes: [
      ['tenant_id', 'at', 'seq'],
      ['tenant_id', 'action_type', 'at', 'seq'],
      ['tenant_id', 'user_id', 'at', 'seq'],
    ],
  },

  delivery_log: {
    columns: {
      id: generatedKey,
      tenant_id: integer,
      task_id: integer,
      // Without query and credentials.
      url: text,
      at: time,
      visual: text,
      body: text,
      // HTTP status, or null without a response.
      status: optionalInteger,
      // `delivered`, `failed` or `lost`.
      outcome: text,
      error: optionalText,
      duration_ms: integer,
      replay_of: optionalInteger,
    },
  },
} as const satisfies Readonly<Record<string, Table>>;

type Schema = typeof schema;

/** The names of all tables. */
export const tableNames = Object.keys(schema) as readonly (keyof Schema)[];

type ColumnType<TColumn> =
  | (TColumn extends { type: 'integer' } ? number : string)
  | (TColumn extends { isNullable: true } ? null : never);

/** The tables, for Kysely. */
export type Tables = {
  [TTable in keyof Schema]: {
    -readonly [TColumn in keyof Schema[TTable]['columns']]: Schema[TTable]['columns'][TColumn] extends {
      key: 'generated';
    }
      ? Generated<number>
      : ColumnType<Schema[TTable]['columns'][TColumn]>;
  };
};

/** A stored row of a table. */
export type Row<TTable extends keyof Tables> = Selectable<Tables[TTable]>;
