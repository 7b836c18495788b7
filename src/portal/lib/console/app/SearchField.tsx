import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { reportDefinition } from '../../reports/definitions/reportDefinitions.ts';
import { type Row, shown, tenantList, wholeList } from './api.ts';
import { useConsole } from './context.tsx';
import type { FormField, Option, Source } from './fields.ts';
import { Button } from './parts.tsx';

/** The list of a source, the field of its value, the fields of its text, and which of its rows are choices. */
const sources: Readonly<
  Record<
    Exclude<Source, 'visuals'>,
    readonly [list: string, value: string, texts: readonly string[], isChoice?: (row: Row) => boolean]
  >
> = {
  roles: ['roles', 'name', ['name', 'type']],
  codes: ['roles', 'code', ['code', 'name'], ({ type }) => type === 'RLS'],
  'organization-units': ['organization-units', 'id', ['path', 'id']],
  items: ['items', 'id', ['id', 'displayName']],
  users: ['users', 'id', ['email', 'displayName']],
  emails: ['users', 'email', ['email']],
};

const optionsOf = (source: Source, rows: readonly Row[], values: Row): readonly Option[] => {
  if (source !== 'visuals') {
    const [, value, texts, isChoice = () => true] = sources[source];
    return rows
      .filter(isChoice)
      .map((row) => [shown(row[value]), texts.map((text) => shown(row[text])).join(' · ')]);
  }
  const item = rows.find(({ id }) => String(id) === String(values['itemId']));
  const pages = item === undefined ? [] : reportDefinition(shown(item['report'])).pages;
  return pages.flatMap(({ visuals }) => visuals.map(({ id, title }) => [id, `${id} · ${title}`] as const));
};

/** Whether a field must have a value. */
export const isRequiredIn = ({ isRequired = false }: FormField, values: Row): boolean =>
  typeof isRequired === 'function' ? isRequired(values) : isRequired;

/** The control of a choice by searching, of one or of many, or of a text with suggestions. */
export const SearchField = (props: {
  readonly field: FormField;
  readonly values: Row;
  readonly id: string;
  readonly onChange: (value: string | readonly string[]) => void;
}) => {
  const { field, values, id, onChange } = props;
  const { name, source, options = [], kind, placeholder = 'Type to search' } = field;
  const { tenant } = useConsole();
  const list = useId();
  /** What was typed and is not chosen yet. */
  const [typed, setTyped] = useState<string>();
  const [problem, setProblem] = useState('');
  const read = source === undefined ? '' : source === 'visuals' ? 'items' : sources[source][0];
  const { data } = useQuery({
    queryKey: ['choices', tenant.tenancyName, read],
    queryFn: () => tenantList(tenant.tenancyName, read, { pageSize: wholeList }),
    enabled: source !== undefined,
  });
  const all = [...options, ...(source === undefined ? [] : optionsOf(source, data?.items ?? [], values))];
  const isMany = kind === 'many';
  const chosen = [values[name]].flat().map(String);
  const textOf = (one: string) => all.find(([option]) => option === one)?.[1] ?? one;
  const text = isMany ? '' : textOf(chosen[0] ?? '');
  const choose = (found: string) => {
    setTyped(undefined);
    setProblem('');
    onChange(isMany ? [...new Set([...chosen, found])] : found);
  };
  const enter = (value: string) => {
    setProblem('');
    setTyped(value);
    const found = kind === 'suggested' ? value : all.find(([, one]) => one === value)?.[0];
    if (found !== undefined) choose(found);
  };
  /** Chooses what was typed: a value, a name, or a part of one choice only. Returns whether it did. */
  const settle = (): boolean => {
    const words = typed?.trim() ?? '';
    if (words === '') setTyped(undefined);
    if (words === '') return false;
    const tests: readonly ((option: Option) => boolean)[] = [
      (option) => option.includes(words),
      ([, one]) => one.split(' · ').includes(words),
      ([, one]) => one.toLowerCase().includes(words.toLowerCase()),
    ];
    const found = tests
      .map((test) => [...new Set(all.filter(test).map(([option]) => option))])
      .find(({ length }) => length === 1)?.[0];
    if (found === undefined)
      setProblem(`“${words}” is not in the list. Choose one of it, or clear the field.`);
    else choose(found);
    return found !== undefined;
  };
  return (
    <>
      <input
        id={id}
        ref={(input) => input?.setCustomValidity(problem)}
        list={list}
        autoComplete="off"
        aria-describedby={field.hint === undefined ? undefined : `${id}-hint`}
        placeholder={text || placeholder}
        required={!isMany && isRequiredIn(field, values) && text === ''}
        value={typed ?? text}
        onChange={({ target }) => enter(target.value)}
        // Browsers offer what contains the text of the field: all choices, when it is empty.
        onFocus={() => setTyped(typed ?? '')}
        onBlur={settle}
        onKeyDown={(event) => event.key === 'Enter' && settle() && event.preventDefault()}
      />
      <datalist id={list}>
        {all
          .filter(([option]) => !isMany || !chosen.includes(option))
          .map(([option, one]) => (
            <option key={option} value={one}>
              {one}
            </option>
          ))}
      </datalist>
      {problem !== '' && (
        <small className="bad" role="alert">
          {problem}
        </small>
      )}
      {isMany && chosen.length > 0 && (
        <div className="row-actions">
          {chosen.map((one) => (
            <Button
              key={one}
              label={`Remove ${textOf(one)}`}
              onPress={() => {
                document.getElementById(id)?.focus();
                onChange(chosen.filter((other) => other !== one));
              }}
            >
              {textOf(one)} ×
            </Button>
          ))}
        </div>
      )}
    </>
  );
};
