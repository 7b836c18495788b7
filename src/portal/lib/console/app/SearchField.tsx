import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useId, useState } from 'react';
import { type Row, readList, shown, wholeList } from './api.ts';
import { useConsole } from './context.tsx';
import type { FormField, Option } from './fields.ts';
import { Button } from './parts.tsx';
import { type Choices, type Source, sources } from './sources.ts';

const useChoices = (source: Source | undefined, values: Row): readonly Option[] => {
  const { tenancyName } = useConsole().tenant;
  const [list, choicesOf]: readonly [string, Choices] = sources[source ?? 'items'];
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
  /** Of one choice, the one that stands for none. */
  const isOptional = options.some(([option]) => option === '');
  const removable = isMany || isOptional ? chosen.filter((one) => one !== '') : [];
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
  /** Chooses what was typed: a value, a name, or a part of one choice only. */
  const settle = () => {
    const words = typed?.trim() ?? '';
    if (words === '') return setTyped(undefined);
    const tests: readonly ((option: Option) => boolean)[] = [
      ([option, one]) => [option, one, ...one.split(' · ')].includes(words),
      ([, one]) => one.toLowerCase().includes(words.toLowerCase()),
    ];
    const [only] = tests
      .map((test) => [...new Set(all.filter(test).map(([option]) => option))])
      .filter(({ length }) => length === 1)
      .flat();
    const found = kind === 'suggested' ? words : only;
    if (found !== undefined) return choose(found);
    setProblem(`“${words}” is not in the list. Choose one from the list, or clear the field.`);
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
        onKeyDown={(event) => {
          // It chooses here, and never sends a form that is not complete yet.
          if (event.key !== 'Enter') return;
          event.preventDefault();
          settle();
        }}
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
      {removable.length > 0 && (
        <div className="line">
          {removable.map((one) => (
            <Button
              key={one}
              aria-label={`Remove ${textOf(one)}`}
              onClick={() => {
                document.getElementById(input.id ?? '')?.focus();
                onChoose(isMany ? chosen.filter((other) => other !== one) : '');
              }}
            >
              {`${textOf(one)}\u00a0×`}
            </Button>
          ))}
        </div>
      )}
    </>
  );
};
