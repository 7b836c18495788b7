import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  ComboBox,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Text,
} from 'react-aria-components';
import { reportDefinition } from '../../reports/definitions/reportDefinitions.ts';
import { type Row, shown, tenantList, wholeList } from './api.ts';
import { useConsole } from './context.tsx';
import type { FormField, Option, Source } from './fields.ts';
import { Button } from './parts.tsx';

/** The list of a source, the fields of its value and of the text beside it, and which of its rows are choices. */
const sources: Readonly<
  Record<
    Exclude<Source, 'visuals'>,
    readonly [list: string, value: string, first: string, second: string, isChoice?: (row: Row) => boolean]
  >
> = {
  roles: ['roles', 'name', 'name', 'type'],
  codes: ['roles', 'code', 'code', 'name', ({ type }) => type === 'RLS'],
  'organization-units': ['organization-units', 'id', 'path', 'id'],
  items: ['items', 'id', 'id', 'displayName'],
  users: ['users', 'id', 'email', 'displayName'],
};

const optionsOf = (source: Source, rows: readonly Row[], values: Row): readonly Option[] => {
  if (source !== 'visuals') {
    const [, value, first, second, isChoice = () => true] = sources[source];
    return rows
      .filter(isChoice)
      .map((row) => [shown(row[value]), `${shown(row[first])} · ${shown(row[second])}`]);
  }
  const item = rows.find(({ id }) => String(id) === String(values['itemId']));
  const pages = item === undefined ? [] : reportDefinition(shown(item['report'])).pages;
  return pages.flatMap(({ visuals }) => visuals.map(({ id, title }) => [id, `${id} · ${title}`] as const));
};

/** Whether a field must have a value. */
export const isRequiredIn = ({ isRequired = false }: FormField, values: Row): boolean =>
  typeof isRequired === 'function' ? isRequired(values) : isRequired;

/** Number of options that are shown at once; typing narrows them. */
const maxShown = 50;

/** A choice by searching, of one or of many. */
export const SearchField = (props: {
  readonly field: FormField;
  readonly values: Row;
  readonly onChange: (value: string | readonly string[]) => void;
}) => {
  const { field, values, onChange } = props;
  const { name: fieldName, label, hint, source, options = [], kind, placeholder = 'Type to search' } = field;
  const { tenant } = useConsole();
  const [query, setQuery] = useState('');
  const list = source === undefined ? '' : source === 'visuals' ? 'items' : sources[source][0];
  const { data, isPending } = useQuery({
    queryKey: ['choices', tenant.tenancyName, list],
    queryFn: () => tenantList(tenant.tenancyName, list, { pageSize: wholeList }),
    enabled: source !== undefined,
  });
  const all = [...options, ...(source === undefined ? [] : optionsOf(source, data?.items ?? [], values))];
  const isMany = kind === 'many';
  // A new array would be a change of the combo box. Many values are texts; one is a text or a number.
  const many = isMany ? (values[fieldName] as readonly string[]) : undefined;
  const chosen = many ?? [String(values[fieldName])];
  const textOf = (one: string) => all.find(([option]) => option === one)?.[1] ?? one;
  // The text of what is chosen is not a search.
  const wanted = isMany || query !== textOf(chosen[0] ?? '') ? query.toLowerCase() : '';
  const matching = all.filter(([, text]) => text.toLowerCase().includes(wanted));
  const offered = matching.slice(0, maxShown);
  const others = all.filter((one) => !isMany && one[0] === chosen[0] && !offered.includes(one));
  return (
    <div className="field">
      <ComboBox
        menuTrigger="focus"
        allowsEmptyCollection
        isRequired={!isMany && isRequiredIn(field, values)}
        items={[...offered, ...others].map(([id, name]) => ({ id, name }))}
        onInputChange={setQuery}
        selectionMode={isMany ? 'multiple' : 'single'}
        value={many ?? chosen[0] ?? null}
        onChange={(keys) => {
          if (Array.isArray(keys)) onChange(keys.map(String));
          else if (keys !== null) onChange(String(keys));
        }}
      >
        <Label>{label}</Label>
        <Input placeholder={placeholder} />
        {hint !== undefined && (
          <Text slot="description" className="hint">
            {hint}
          </Text>
        )}
        <FieldError className="message" />
        <Popover className="popover">
          <ListBox
            renderEmptyState={() => (
              <p className="hint">{source !== undefined && isPending ? 'Loading…' : 'Nothing matches.'}</p>
            )}
          >
            {({ id, name }: { readonly id: string; readonly name: string }) => (
              <ListBoxItem id={id} textValue={name}>
                {name}
              </ListBoxItem>
            )}
          </ListBox>
          {matching.length > maxShown && (
            <p className="hint">{matching.length - maxShown} more: type to narrow them down.</p>
          )}
        </Popover>
      </ComboBox>
      {isMany && chosen.length > 0 && (
        <ul className="chips" aria-label={`${label}: chosen`}>
          {chosen.map((one) => (
            <li key={one}>
              {textOf(one)}
              <Button
                label={`Remove ${textOf(one)}`}
                onPress={() => onChange(chosen.filter((other) => other !== one))}
              >
                ×
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};
