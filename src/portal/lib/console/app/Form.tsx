import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import type { Row } from './api.ts';
import { useConsole } from './context.tsx';
import { Popup } from './dialogs.tsx';
import { type FormField, labelOf, shownFields, valuesOf } from './fields.ts';
import { Button } from './parts.tsx';
import { SearchField } from './SearchField.tsx';

/** The entries of a list, each with its own fields. */
const EntriesField = (props: {
  readonly field: FormField;
  readonly entries: readonly Row[];
  readonly onChange: (entries: readonly Row[]) => void;
}) => {
  const { entries, onChange } = props;
  const { name, label = labelOf(name), fields = [] } = props.field;
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
          <Button onClick={() => onChange(entries.filter((one) => one !== entry))}>Remove entry</Button>
        </div>
      ))}
      <Button onClick={() => onChange([...entries, valuesOf(fields)])}>Add entry</Button>
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
  const { kind, name, label = labelOf(name), hint, type = 'text', options = [] } = field;
  const { placeholder, maxLength, min, max, isRequired: required } = field;
  const value = values[name];
  if (kind === 'list')
    return <EntriesField field={field} entries={value as readonly Row[]} onChange={onChange} />;
  const common = { id, required, 'aria-describedby': hint === undefined ? undefined : `${id}-hint` };
  const text = {
    ...common,
    placeholder,
    maxLength,
    value: String(value),
    onChange: ({ target }: { readonly target: { readonly value: string } }) => onChange(target.value),
  };
  const search = <SearchField {...common} field={field} values={values} onChoose={onChange} />;
  const control = {
    search,
    many: search,
    suggested: search,
    check: (
      <input
        {...common}
        required={false}
        type="checkbox"
        checked={value === true}
        onChange={({ target }) => onChange(target.checked)}
      />
    ),
    choice: (
      <select {...text}>
        {options.map(([option, title]) => (
          <option key={option} value={option}>
            {title}
          </option>
        ))}
      </select>
    ),
    long: <textarea {...text} rows={3} />,
    text: (
      <input
        {...{ ...text, min, max }}
        // Browsers reject internationalized addresses; the portal accepts them.
        type={type === 'email' ? 'text' : type}
        inputMode={type === 'email' ? 'email' : undefined}
        autoComplete={type === 'password' ? 'new-password' : 'off'}
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
  const id = useId();
  const save = async (event: FormEvent) => {
    event.preventDefault();
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
  const submit = (
    <button
      type="submit"
      form={id}
      className="main"
      disabled={isSaving}
      // A field that is left chooses what was typed. That moves this button: not before the click is complete.
      onMouseDown={(event) => event.preventDefault()}
      onClick={({ currentTarget }) => currentTarget.focus()}
    >
      {action}
    </button>
  );
  const role = question === undefined ? undefined : 'alertdialog';
  return (
    <Popup title={title} role={role} isEdited={values !== first} action={submit}>
      <form id={id} ref={form} className="fields" onSubmit={(event) => void save(event)}>
        {question}
        <Fields
          fields={fields}
          values={values}
          onChange={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
        />
        <p className="message bad" role="alert">
          {problem}
        </p>
      </form>
    </Popup>
  );
};
