import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, isValidElement, type ReactNode, useId, useRef, useState } from 'react';
import { labelOf, type Row } from './api.ts';
import { useConsole } from './context.tsx';
import { Popup } from './dialogs.tsx';
import { type FormField, shownFields, valuesOf } from './fields.ts';
import { Button } from './parts.tsx';
import { SearchField } from './SearchField.tsx';

interface FieldsProps {
  readonly fields: readonly FormField[];
  readonly values: Row;
  readonly onChange: (name: string, value: unknown) => void;
}

/** The entries of a list, each with its own fields. */
const Entries = ({
  field,
  values,
  onChange,
}: Omit<FieldsProps, 'fields'> & { readonly field: FormField }) => {
  const { name, label = labelOf(name), fields = [] } = field;
  const entries = values[name] as readonly Row[];
  const set = (next: readonly Row[]) => onChange(name, next);
  return (
    <fieldset>
      <legend>{label}</legend>
      {entries.map((entry, place) => (
        // biome-ignore lint: entries have no identity but their place.
        <div className="entry" key={place}>
          <Fields
            fields={fields}
            values={entry}
            onChange={(part, value) => set(entries.with(place, { ...entry, [part]: value }))}
          />
          <Button onClick={() => set(entries.filter((one) => one !== entry))}>Remove entry</Button>
        </div>
      ))}
      <Button onClick={() => set([...entries, valuesOf(fields)])}>Add entry</Button>
    </fieldset>
  );
};

/** The controls of the fields that are shown with these values. */
export const Fields = ({ fields, values, onChange }: FieldsProps): ReactNode => {
  const form = useId();
  return shownFields(fields, values).map((field) => {
    const { kind, name, label = labelOf(name), hint, type = 'text', options = [] } = field;
    if (kind === 'list') return <Entries key={name} {...{ field, values, onChange }} />;
    const id = `${form}-${name}`;
    const { placeholder, maxLength, inputMode, min, max, isRequired } = field;
    const common = { id, name, required: isRequired, 'aria-describedby': hint && `${id}-hint` };
    const text = {
      ...common,
      placeholder,
      maxLength,
      value: String(values[name]),
      onChange: ({ target }: { readonly target: { readonly value: string } }) => onChange(name, target.value),
    };
    const search = (
      <SearchField {...common} field={field} values={values} onChoose={(value) => onChange(name, value)} />
    );
    const control = {
      search,
      many: search,
      suggested: search,
      check: (
        <input
          {...{ ...common, required: false }}
          type="checkbox"
          checked={values[name] === true}
          onChange={({ target }) => onChange(name, target.checked)}
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
          {...{ ...text, type, inputMode, min, max }}
          autoComplete={type === 'password' ? 'new-password' : 'off'}
          step={type === 'number' ? 'any' : undefined}
        />
      ),
    }[kind];
    return (
      <div key={name} className={kind === 'check' ? 'field line' : 'field'}>
        {kind === 'check' && control}
        <label htmlFor={id}>{label}</label>
        {kind !== 'check' && control}
        {hint !== undefined && (
          <small className="hint" id={`${id}-hint`}>
            {hint}
          </small>
        )}
      </div>
    );
  });
};

/** A dialog with a form, or with a question before a loss. Everything is read again when its change is made. */
export const FormDialog = (props: {
  readonly title: string;
  readonly action: string;
  readonly question?: string;
  readonly fields?: readonly FormField[];
  readonly values?: Row;
  /**
   * Saves the values; `before` are those first shown. An element that it returns is shown next. If it rejects, the error
   * is shown and the form stays open.
   */
  readonly onSubmit: (values: Row, before: Row) => Promise<unknown>;
}) => {
  const { title, action, question, fields = [], values: first = {}, onSubmit } = props;
  const [values, setValues] = useState(first);
  const [problem, setProblem] = useState('');
  const [isSaving, setSaving] = useState(false);
  const { say, show } = useConsole();
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isSaving) return;
    setSaving(true);
    setProblem('');
    say('');
    try {
      const next = await onSubmit(values, first);
      await client.invalidateQueries();
      if (form.current !== null || isValidElement(next)) show(isValidElement(next) && next);
    } catch (error) {
      const { message: text, cause } = error instanceof Error ? error : new Error('Could not save this.');
      // The view may have been left meanwhile: its user is told at the top of the page.
      if (form.current === null) say(text);
      setProblem(text);
      setSaving(false);
      form.current?.querySelector<HTMLElement>(`[name="${String(cause)}"]`)?.focus();
    }
  };
  const submit = (
    <>
      <p className="bad" role="alert">
        {problem}
      </p>
      <button
        type="submit"
        form={id}
        className="main"
        // It keeps the focus meanwhile.
        aria-disabled={isSaving}
        // A field that is left chooses what was typed. That moves this button: not before the click is complete.
        onMouseDown={(event) => event.preventDefault()}
        onClick={({ currentTarget }) => currentTarget.focus()}
      >
        {action}
      </button>
    </>
  );
  const role = question === undefined ? undefined : 'alertdialog';
  return (
    <Popup title={title} role={role} isEdited={values !== first && !isSaving} action={submit}>
      <form id={id} ref={form} className="stack" onSubmit={(event) => void save(event)}>
        {question}
        <Fields
          fields={fields}
          values={values}
          onChange={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
        />
      </form>
    </Popup>
  );
};
