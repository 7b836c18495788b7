import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
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
import { askList, type Row, shown, wholeList } from './api.ts';
import { useConsole } from './context.tsx';
import { emptyValue, type FormField, type Option, type Source, type Values, valuesOf } from './fields.ts';
import { Button, Popup } from './parts.tsx';

const visualsOf = (items: readonly Row[], itemId: unknown): readonly Option[] => {
  const item = items.find(({ id }) => String(id) === String(itemId));
  const pages = item === undefined ? [] : reportDefinition(shown(item['report'])).pages;
  return pages.flatMap(({ visuals }) => visuals.map(({ id, title }) => [id, `${id} · ${title}`] as const));
};

/** The options of a source among the rows of its list. */
const optionsOf: Readonly<Record<Source, (rows: readonly Row[], values: Values) => readonly Option[]>> = {
  roles: (rows) => rows.map(({ name, type }) => [shown(name), `${shown(name)} · ${shown(type)}`]),
  codes: (rows) =>
    rows
      .filter(({ type }) => type === 'RLS')
      .map(({ code, name }) => [shown(code), `${shown(code)} · ${shown(name)}`]),
  'organization-units': (rows) => rows.map(({ id, path }) => [shown(id), `${shown(path)} · ${shown(id)}`]),
  items: (rows) => rows.map(({ id, displayName }) => [shown(id), `${shown(id)} · ${shown(displayName)}`]),
  visuals: (rows, { itemId }) => visualsOf(rows, itemId),
  users: (rows) =>
    rows.map(({ id, email, displayName }) => [shown(id), `${shown(email)} · ${shown(displayName)}`]),
};

const listOf = (source: Source) => (source === 'codes' ? 'roles' : source === 'visuals' ? 'items' : source);

const isRequiredIn = ({ isRequired = false }: FormField, values: Values): boolean =>
  typeof isRequired === 'function' ? isRequired(values) : isRequired;

/** Number of options that are shown at once; typing narrows them. */
const maxShown = 50;

/** A choice by searching, of one or of many. */
export const SearchField = ({
  field,
  values,
  value,
  onChange,
}: {
  readonly field: FormField;
  readonly values: Values;
  readonly value: string | readonly string[];
  readonly onChange: (value: string | readonly string[]) => void;
}) => {
  const { label, hint, source, options, kind, placeholder = 'Type to search' } = field;
  const { tenant } = useConsole();
  const [query, setQuery] = useState('');
  const list = source === undefined ? '' : listOf(source);
  const { data, isPending } = useQuery({
    queryKey: ['choices', tenant.tenancyName, list],
    queryFn: () => askList(tenant.tenancyName, list, { pageSize: wholeList }),
    enabled: source !== undefined,
  });
  const own = typeof options === 'function' ? options(values) : (options ?? []);
  const all = [...own, ...(source === undefined ? [] : optionsOf[source](data?.items ?? [], values))];
  const isMany = kind === 'many';
  const chosen = typeof value === 'string' ? [value] : value;
  const textOf = (one: string) => all.find(([option]) => option === one)?.[1] ?? one;
  // The text of what is chosen is not a search.
  const wanted = isMany || query !== textOf(chosen[0] ?? '') ? query.toLowerCase() : '';
  const matching = all.filter(([, text]) => text.toLowerCase().includes(wanted));
  const offered = matching.slice(0, maxShown);
  const others = all.filter((one) => !offered.includes(one) && one[0] === chosen[0] && !isMany);
  return (
    <div className="field">
      <ComboBox
        menuTrigger="focus"
        allowsEmptyCollection
        isRequired={!isMany && isRequiredIn(field, values)}
        items={[...offered, ...others].map(([id, name]) => ({ id, name }))}
        onInputChange={setQuery}
        selectionMode={isMany ? 'multiple' : 'single'}
        value={isMany ? chosen : (chosen[0] ?? null)}
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

/** The entries of a list, each with its own fields. */
const EntriesField = ({
  field: { label, fields = [] },
  entries,
  onChange,
}: {
  readonly field: FormField;
  readonly entries: readonly Values[];
  readonly onChange: (entries: readonly Values[]) => void;
}) => (
  <fieldset>
    <legend>{label}</legend>
    {entries.map((entry, place) => (
      // biome-ignore lint: entries have no identity but their place.
      <div className="entry" key={place}>
        {fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            values={entry}
            onChange={(value) => onChange(entries.with(place, { ...entry, [field.name]: value }))}
          />
        ))}
        <Button onPress={() => onChange(entries.filter((_, other) => other !== place))}>Remove entry</Button>
      </div>
    ))}
    <Button onPress={() => onChange([...entries, valuesOf(fields, undefined)])}>Add entry</Button>
  </fieldset>
);

/** The control of a field. */
const FieldInput = ({
  field,
  values,
  onChange,
}: {
  readonly field: FormField;
  readonly values: Values;
  readonly onChange: (value: unknown) => void;
}): ReactNode => {
  const id = useId();
  const { kind, name, label, hint, type = 'text', maxLength, min, max, placeholder, options } = field;
  const value = values[name] ?? emptyValue(field);
  if (kind === 'list')
    return <EntriesField field={field} entries={value as readonly Values[]} onChange={onChange} />;
  if (kind === 'many' || kind === 'search')
    // The values of these kinds are texts.
    return (
      <SearchField
        field={field}
        values={values}
        value={value as string | readonly string[]}
        onChange={onChange}
      />
    );
  const common = { id, 'aria-describedby': hint === undefined ? undefined : `${id}-hint` };
  const note = hint !== undefined && (
    <small className="hint" id={`${id}-hint`}>
      {hint}
    </small>
  );
  if (kind === 'check')
    return (
      <div>
        <label className="check">
          <input
            type="checkbox"
            {...common}
            checked={value === true}
            onChange={({ target }) => onChange(target.checked)}
          />{' '}
          {label}
        </label>
        {note}
      </div>
    );
  const required = isRequiredIn(field, values);
  const own = typeof options === 'function' ? options(values) : (options ?? []);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {kind === 'choice' ? (
        <select {...common} value={String(value)} onChange={({ target }) => onChange(target.value)}>
          {own.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      ) : kind === 'long' ? (
        <textarea
          {...common}
          rows={3}
          maxLength={maxLength}
          required={required}
          value={String(value)}
          onChange={({ target }) => onChange(target.value)}
        />
      ) : (
        <input
          {...common}
          // Browsers reject internationalized addresses; the portal accepts them.
          type={type === 'email' ? 'text' : type}
          inputMode={type === 'email' ? 'email' : undefined}
          autoComplete={type === 'password' ? 'new-password' : 'off'}
          value={String(value)}
          required={required}
          onChange={({ target }) => onChange(target.value)}
          {...{ maxLength, min, max, placeholder }}
        />
      )}
      {note}
    </div>
  );
};

/** What a form is for, and how it is saved. */
export interface FormProps {
  readonly title: string;
  readonly action: string;
  readonly fields: readonly FormField[];
  readonly values: Values;
  /** Saves the values; `before` are those first shown. If it rejects, the error is shown and the form stays open. */
  readonly onSubmit: (values: Values, before: Values) => Promise<unknown>;
  readonly onClose: () => void;
}

/** A dialog with a form. */
export const FormDialog = ({ title, action, fields, values: first, onSubmit, onClose }: FormProps) => {
  const [values, setValues] = useState(first);
  const [problem, setProblem] = useState('');
  const [isSaving, setSaving] = useState(false);
  const { say } = useConsole();
  const isLeft = useRef(false);
  useEffect(
    () => () => {
      isLeft.current = true;
    },
    [],
  );
  const shownFields = fields.filter(({ shownIf }) => shownIf?.(values) !== false);
  const save = async () => {
    const empty = shownFields.find(
      (field) =>
        field.kind === 'many' && isRequiredIn(field, values) && [values[field.name]].flat().length === 0,
    );
    if (empty !== undefined) return setProblem(`${empty.label}: choose at least one.`);
    setSaving(true);
    try {
      // Spaces around what was typed are not meant; what was not edited stays as it is.
      const trimmed = Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'string' && value !== first[name] ? value.trim() : value,
      ]);
      await onSubmit(Object.fromEntries(trimmed) as Values, first);
    } catch (error) {
      const text = error instanceof Error ? error.message : 'Could not save this.';
      // The view may have been left meanwhile: its user is told at the top of the page.
      if (isLeft.current) say(text);
      setProblem(text);
      setSaving(false);
    }
  };
  return (
    <Popup title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div className="fields">
          {shownFields.map((field) => (
            <FieldInput
              key={field.name}
              field={field}
              values={values}
              onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
            />
          ))}
        </div>
        <p className="message" role="alert">
          {problem}
        </p>
        <div className="actions">
          <Button onPress={onClose}>Cancel</Button>
          <button type="submit" className="main" disabled={isSaving}>
            {action}
          </button>
        </div>
      </form>
    </Popup>
  );
};
