import type { ReactNode } from 'react';
import type { Row } from './api.ts';
import type { FormField } from './fields.ts';

/** A column of a table. A field alone is shown under its name. */
export type Column =
  | string
  | {
      readonly title: string;
      /** Field of the row: it sorts by it, and shows it without `render`. */
      readonly field?: string;
      readonly render?: (row: Row) => ReactNode;
    };

/** What is done with a row, or with a list. A sentence that it returns is shown. */
export interface ListAction {
  readonly text: string;
  readonly isOffered?: (row: Row) => boolean;
  /** What it does to others; with it, a question comes first. */
  readonly effectOf?: (row: Row) => string;
  /** `path` is that of the tenant. */
  readonly act: (path: string, row: Row) => Promise<unknown>;
}

/** A list: its columns, its form, and how its rows change. Paths are those of the tenant. */
export interface ListDefinition {
  /** Name in the address and of the list: `users`. */
  readonly name: string;
  readonly title: string;
  /** Singular noun: `user`. */
  readonly one: string;
  readonly hint?: string;
  readonly columns: readonly Column[];
  /** Field with the name of a row, in questions and titles. Default: "id". */
  readonly nameField?: string;
  /** What it shows of its rows. Default: all. */
  readonly shapeOf?: (row: Row) => Row;
  /** Whether it is read every second. */
  readonly isLive?: true;
  readonly filters?: readonly FormField[];
  /** What is asked for with the values of the filters. Default: these. */
  readonly parametersOf?: (query: Row) => Row;
  /** What is done with the list; they get the parameters of its query. */
  readonly tools?: readonly ListAction[];
  readonly actions?: readonly ListAction[];
  /** Fields of the form for new and edited rows. */
  readonly fields?: (row?: Row) => readonly FormField[];
  /** What the form shows of a row. Default: its fields. */
  readonly toValues?: (row: Row) => Row;
  /** What is sent for the values of a form. Default: the values. */
  readonly toBody?: (body: Row) => Row;
  /** Creates a row. What it returns beyond the `id` is shown once. */
  readonly create?: (path: string, body: Row) => Promise<Row>;
  /** Changes a row; without it, rows do not change. */
  readonly change?: ((path: string, row: Row, changes: Row) => Promise<unknown>) | undefined;
}
