import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useId, useState } from 'react';
import { reportDefinition } from '../../reports/definitions/reportDefinitions.ts';
import { type Row, readList, shown, wholeList } from './api.ts';
import { useConsole } from './context.tsx';
import type { FormField, Option, Source } from './fields.ts';
import { Button } from './parts.tsx';

/** The list of a source, and the choices of one of its rows: each a value and its texts. */
const sources: Readonly<
  Record<
    Source,
    readonly [list: string, choicesOf: (row: Row, values: Row) => readonly (readonly unknown[])[]]
  >
> = {
  roles: ['roles', ({ name, type }) => [[name, name, type]]],
  codes: ['roles', ({ type, code, name }) => (type === 'RLS' ? [[code, code, name]] : [])],
  'organization-units': ['organization-units', ({ id, path }) => [[id, path, id]]],
  items: ['items', ({ id, displayName }) => [[id, id, displayName]]],
  users: ['users', ({ id, email, displayName }) => [[id, email, displayName]]],
  emails: ['users', ({ email }) => [[email, email]]],
  visuals: [
    'items',
    ({ id, report }, { itemId }) =>
      String(id) === String(itemId)
        ? reportDefinition(shown(report)).pages.flatMap(({ visuals }) =>
            visuals.map((visual) => [visual.id, visual.id, visual.title]),
          )
        : [],
  ],
};

const useChoices = (source: Source | undefined, values: Row): readonly Option[] => {
  const { tenancyName } = useConsole().tenant;
  const [list, choicesOf] = sources[source ?? 'items'];
  const { data } = useQuery({
    queryKey: ['choices', tenancyName, list],
    queryFn: () => readList(`/tenants/${tenancyName}`, list, { pageSize: wholeList }),
    enabled: source !== undefined,
  });
  if (source === undefined || data === undefined) return [];
  return data.items
    .flatMap((row) => choicesOf(row, values))
    .map(([value, ...texts]) => [String(value), texts.map(shown).join(' · ')]);
};

/** The control of a choice by searching, of one or of many, or of a text with suggestions. */
export const SearchField = ({
  field,
  values,
  onChoose,
  ...input
}: Omit<ComponentProps<'input'>, 'list'> & {
  readonly field: FormField;
  readonly values: Row;
  readonly onChoose: (value: string | readonly string[]) => void;
}) => {
  const { name, source, options = [], kind } = field;
  const list = useId();
  /** What was typed and is not chosen yet. */
  const [typed, setTyped] = useState<string>();
  const [problem, setProblem] = useState('');
  const all = [...options, ...useChoices(source, values)];
  const isMany = kind === 'many';
  const chosen = [values[name]].flat().map(String);
  const textOf = (one: string) => all.find(([option]) => option === one)?.[1] ?? one;
  const text = isMany ? '' : textOf(chosen[0] ?? '');
  const choose = (found: string) => {
    setTyped(undefined);
    onChoose(isMany ? [...new Set([...chosen, found])] : found);
  };
  const enter = (value: string) => {
    setProblem('');
    setTyped(value);
    const found = all.find(([, one]) => one === value)?.[0];
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
    const found =
      kind === 'suggested'
        ? words
        : tests
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
        {...input}
        ref={(element) => element?.setCustomValidity(problem)}
        list={list}
        autoComplete="off"
        placeholder={text || 'Type to search'}
        required={input.required === true && (isMany ? chosen.length === 0 : text === '')}
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
              aria-label={`Remove ${textOf(one)}`}
              onClick={() => {
                document.getElementById(input.id ?? '')?.focus();
                onChoose(chosen.filter((other) => other !== one));
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
