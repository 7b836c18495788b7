import {
  type ResourceName,
  resources,
  type ServiceField,
  type ServiceResource,
} from '@vitrine/contract/service';
import { Option } from 'commander';
import { parseJson } from '../input/parseJson.ts';
import type { Column } from '../output/formatTable.ts';
import { dashed, formatValue, shortTime } from '../output/text.ts';
import { listOption, type Run } from '../program/addCommand.ts';

/** The columns of a resource's table. */
export const tableColumns = (resource: ResourceName): readonly Column<object>[] => {
  const { columns, fields }: ServiceResource = resources[resource];
  return columns.map((name) => {
    const kind = fields[name]?.kind;
    return {
      title: dashed(name).replaceAll('-', ' ').toUpperCase(),
      value: (row) => showValue(Reflect.get(row, name), kind),
      align: kind === 'integer' ? 'right' : 'left',
      keepsWidth: kind === 'time' || kind === 'choice' || kind === 'integer',
    };
  });
};

const showValue = (value: unknown, kind: ServiceField['kind'] | undefined): string =>
  formatValue(kind === 'time' && typeof value === 'string' ? shortTime(value) : value);

const fieldsOf = (resource: ResourceName, use: 'create' | 'change'): readonly [string, ServiceField][] => {
  const { fields }: ServiceResource = resources[resource];
  return Object.entries(fields).filter(
    ([, { create, change }]) => create !== undefined && (use === 'create' || change !== false),
  );
};

/** An option for each field that a row is created with, or that can be changed. */
export const fieldOptions = (resource: ResourceName, use: 'create' | 'change'): readonly Option[] =>
  fieldsOf(resource, use).flatMap(([name, { kind, about, values }]) => {
    const flag = `--${dashed(name)}`;
    const meaning = about.replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase()).replace(/\.$/, '');
    if (kind === 'names') return [listOption(`${flag} <name>`, `${meaning}; may be repeated`)];
    if (kind === 'list') return [new Option(`${flag} <json>`, `${meaning}, as JSON`)];
    const choice = values === undefined ? '' : `: ${values.join(', ')}`;
    return [new Option(`${flag} <text>`, `${meaning}${choice}`)];
  });

/** The fields that the options set. */
export const readBody = (
  resource: ResourceName,
  options: Run['options'],
  use: 'create' | 'change',
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    fieldsOf(resource, use).flatMap(([name, { kind }]) => {
      const given = options[name];
      if (given === undefined) return [];
      return [
        [name, kind === 'list' && typeof given === 'string' ? parseJson(given, `--${dashed(name)}`) : given],
      ];
    }),
  );
