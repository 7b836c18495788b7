import { type ReactNode, useId, useRef, useState } from 'react';
import type { Row } from './api.ts';
import { useConsole } from './context.tsx';
import { Popup } from './dialogs.tsx';
import { type FormField, shownFields, valuesOf } from './fields.ts';
import { Button } from './parts.tsx';
import { isRequiredIn, SearchField } from './SearchField.tsx';

/** The entries of a list, each with its own fields. */
const EntriesField = (props: {
  readonly field: FormField;
  readonly entries: readonly Row[];
  readonly onChange: (entries: readonly Row[]) => void;
}) => {
  const { entries, onChange } = props;
  const { label, fields = [] } = props.field;
  return (
    <fieldset>
      <legend>{label}</legend>
      {entries.map((entry, place) => (
        // biome-ignore lint: entries have no identity but their place.
        <div className="entry" key={place}>
          <Fields
            fields={fields}
            values={entry}
            onChange={(name, value) => onChange(entries.with(place, { ...entry, [name]: value }))}
          />
          <Button onPress={() => onChange(entries.filter((one) => one !== entry))}>Remove entry</Button>
        </div>
      ))}
      <Button onPress={() => onChange([...entries, valuesOf(fields)])}>Add entry</Button>
    </fieldset>
  );
};

/** The control of a field. */
const FieldInput = (props: {
  readonly field: FormField;
  readonly values: Row;
  readonly onChange: (value: unknown) => void;
}): ReactNode => {
  const { field, values, onChange } = props;
  const id = useId();
  const { kind, name, label, hint, type = 'text', maxLength, min, max, placeholder, options = [] } = field;
  const value = values[name];
  if (kind === 'list')
    return <EntriesField field={field} entries={value as readonly Row[]} onChange={onChange} />;
  const required = isRequiredIn(field, values);
  const common = {
    id,
    required,
    placeholder,
    maxLength,
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
    value: String(value),
    onChange: ({ target }: { readonly target: { readonly value: string } }) => onChange(target.value),
  };
  const search = <SearchField {...props} id={id} />;
  const control = {
    search,
    many: search,
    suggested: search,
    check: (
      <input
        {...{ ...common, value: undefined, required: false }}
        type="checkbox"
        checked={value === true}
        onChange={({ target }) => onChange(target.checked)}
      />
    ),
    choice: (
      <select {...common}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    ),
    long: <textarea {...common} rows={3} />,
    text: (
      <input
        {...common}
        // Browsers reject internationalized addresses; the portal accepts them.
        type={type === 'email' ? 'text' : type}
        inputMode={type === 'email' ? 'email' : undefined}
        autoComplete={type === 'password' ? 'new-password' : 'off'}
        {...{ min, max }}
        step={type === 'number' ? 'any' : undefined}
      />
    ),
  }[kind];
  return (
    <div className={kind === 'check' ? 'field check' : 'field'}>
      <label htmlFor={id}>{label}</label>
      {control}
      {hint !== undefined && (
        <small className="hint" id={`${id}-hint`}>
          {hint}
        </small>
      )}
    </div>
  );
};

/** The controls of the fields that are shown with these values. */
export const Fields = (props: {
  readonly fields: readonly FormField[];
  readonly values: Row;
  readonly onChange: (name: string, value: unknown) => void;
}): ReactNode =>
  shownFields(props.fields, props.values).map((field) => (
    <FieldInput
      key={field.name}
      field={field}
      values={props.values}
      onChange={(value) => props.onChange(field.name, value)}
    />
  ));

/** A dialog with a form, or with a question before a loss. */
export const FormDialog = (props: {
  readonly title: string;
  readonly action: string;
  readonly question?: string;
  readonly fields?: readonly FormField[];
  readonly values?: Row;
  /**
   * Saves the values; `before` are those first shown. Returns what to show next. If it rejects, the error is shown and
   * the form stays open.
   */
  readonly onSubmit: (values: Row, before: Row) => Promise<ReactNode>;
}) => {
  const { title, action, question, fields = [], values: first = {}, onSubmit } = props;
  const [values, setValues] = useState(first);
  const [problem, setProblem] = useState('');
  const [isSaving, setSaving] = useState(false);
  const { say, show } = useConsole();
  const form = useRef<HTMLFormElement>(null);
  const save = async () => {
    const empty = shownFields(fields, values).find(
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
      const next = await onSubmit(Object.fromEntries(trimmed) as Row, first);
      if (form.current !== null || next !== undefined) show(next);
    } catch (error) {
      const text = error instanceof Error ? error.message : 'Could not save this.';
      // The view may have been left meanwhile: its user is told at the top of the page.
      if (form.current === null) say(text);
      setProblem(text);
      setSaving(false);
    }
  };
  return (
    <Popup title={title} isQuestion={question !== undefined} isEdited={values !== first} hasButtons>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div className="fields">
          {question}
          <Fields
            fields={fields}
            values={values}
            onChange={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
          />
        </div>
        <p className="message" role="alert">
          {problem}
        </p>
        <div className="actions">
          <Button onPress={() => show(undefined)}>Cancel</Button>
          <button
            type="submit"
            className="main"
            disabled={isSaving}
            // A field that is left chooses what was typed. That moves this button: not before the click is complete.
            onMouseDown={(event) => event.preventDefault()}
            onClick={({ currentTarget }) => currentTarget.focus()}
          >
            {action}
          </button>
        </div>
      </form>
    </Popup>
  );
};
