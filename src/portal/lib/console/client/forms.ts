import { element } from '../../ui/element.ts';
import { button, input, labelled, select } from './parts.ts';
import { showDialog } from './showDialog.ts';

/** What a form holds, by the names of its fields. */
export type FormValues = Readonly<Record<string, string | boolean | readonly string[]>>;

interface FieldBase {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** Shown, and part of the values, only while this holds. Default: always. */
  readonly shownIf?: (values: FormValues) => boolean;
}

/** One field of a form. */
export type FormField = FieldBase &
  (
    | {
        readonly kind: 'text';
        readonly type?: 'text' | 'email' | 'url' | 'password' | 'number';
        readonly value?: string;
        readonly isRequired?: boolean;
        readonly placeholder?: string;
      }
    | { readonly kind: 'long'; readonly value?: string }
    | {
        readonly kind: 'choice';
        readonly options: readonly (readonly [value: string, text: string])[];
        readonly value?: string;
      }
    | { readonly kind: 'many'; readonly options: readonly string[]; readonly values: readonly string[] }
    | { readonly kind: 'check'; readonly value: boolean }
  );

interface MountedField {
  readonly field: FormField;
  readonly root: HTMLElement;
  readonly read: () => string | boolean | readonly string[];
}

let hints = 0;

/** Puts the hint below the field; it describes the field, and is not part of its name. */
const withHint = (field: FormField, root: HTMLElement): HTMLElement => {
  if (field.hint === undefined) return root;
  hints += 1;
  const id = `hint-${hints}`;
  root.querySelector('input, select, textarea')?.setAttribute('aria-describedby', id);
  return element('div', {
    children: [root, element('small', { class: 'hint', text: field.hint, attributes: { id } })],
  });
};

const checkbox = (label: string, isChecked: boolean) => {
  const box = input({ type: 'checkbox' });
  box.checked = isChecked;
  return {
    box,
    root: element('label', { class: 'check', children: [box, document.createTextNode(` ${label}`)] }),
  };
};

const mountField = (field: FormField): MountedField => {
  switch (field.kind) {
    case 'text': {
      const control = input({
        // A browser's own check of an address refuses internationalised ones; the portal takes them.
        type: field.type === 'email' ? 'text' : (field.type ?? 'text'),
        ...(field.type === 'email' && { inputmode: 'email' }),
        value: field.value ?? '',
        autocomplete: field.type === 'password' ? 'new-password' : 'off',
        ...(field.placeholder !== undefined && { placeholder: field.placeholder }),
        ...(field.isRequired === true && { required: '' }),
      });
      return {
        field,
        root: withHint(field, labelled(field.label, control)),
        read: () => control.value.trim(),
      };
    }
    case 'long': {
      const control = element('textarea', { attributes: { rows: '3' }, text: field.value ?? '' });
      return { field, root: withHint(field, labelled(field.label, control)), read: () => control.value };
    }
    case 'choice': {
      const control = select(field.options);
      if (field.value !== undefined) control.value = field.value;
      return { field, root: withHint(field, labelled(field.label, control)), read: () => control.value };
    }
    case 'many': {
      const boxes = field.options.map((option) => ({
        option,
        ...checkbox(option, field.values.includes(option)),
      }));
      const set = element('fieldset', {
        class: 'many',
        children: [
          element('legend', { text: field.label }),
          ...(boxes.length === 0
            ? [element('span', { class: 'hint', text: 'There are none.' })]
            : boxes.map(({ root }) => root)),
        ],
      });
      return {
        field,
        root: withHint(field, set),
        read: () => boxes.filter(({ box }) => box.checked).map(({ option }) => option),
      };
    }
    case 'check': {
      const { box, root } = checkbox(field.label, field.value);
      return { field, root: withHint(field, root), read: () => box.checked };
    }
  }
};

/** A form that keeps its fields consistent with one another. */
export interface MountedForm {
  readonly root: HTMLElement;
  /** The values of the fields that are shown. */
  readonly values: () => FormValues;
}

/** Makes the fields of a form. */
export const mountFields = (fields: readonly FormField[]): MountedForm => {
  const mounted = fields.map(mountField);
  const all = () => Object.fromEntries(mounted.map(({ field, read }) => [field.name, read()]));
  const root = element('div', { class: 'fields', children: mounted.map((one) => one.root) });
  const update = () => {
    const values = all();
    for (const one of mounted) {
      const isHidden = one.field.shownIf?.(values) === false;
      one.root.hidden = isHidden;
      // What is hidden must not keep the form from being sent.
      for (const control of one.root.querySelectorAll('input')) control.disabled = isHidden;
    }
  };
  root.addEventListener('input', update);
  update();
  return {
    root,
    values: () => {
      const values = all();
      return Object.fromEntries(
        mounted
          .filter(({ field }) => field.shownIf?.(values) !== false)
          .map(({ field }) => [field.name, values[field.name] ?? '']),
      );
    },
  };
};

/** A dialog with a form in it. */
export interface FormDialog {
  readonly title: string;
  readonly action: string;
  readonly fields: readonly FormField[];
  /** Stores what was entered. What it rejects with is shown, and the form stays open. */
  readonly submit: (values: FormValues) => Promise<unknown>;
}

/** Opens a dialog with a form. */
export const openForm = ({ title, action, fields, submit }: FormDialog): void => {
  const form = mountFields(fields);
  const problem = element('p', { class: 'message', attributes: { role: 'alert' } });
  const save = element('button', { class: 'main', text: action, attributes: { type: 'submit' } });
  const body = element('form', {
    children: [
      form.root,
      problem,
      element('div', {
        class: 'actions',
        children: [button('Cancel', () => dialog.close()), save],
      }),
    ],
  });
  const dialog = element('dialog', {
    class: 'form',
    attributes: { 'aria-label': title },
    children: [element('h2', { text: title }), body],
  });
  body.addEventListener('submit', (event) => {
    event.preventDefault();
    save.disabled = true;
    submit(form.values())
      .then(() => {
        dialog.close();
        return undefined;
      })
      .catch((error: unknown) => {
        // Its view was left meanwhile: the console says it where everybody looks.
        if (!dialog.open) throw error;
        problem.textContent = error instanceof Error ? error.message : 'Could not save this.';
        save.disabled = false;
      });
  });
  showDialog(dialog);
};

/** Asks before something is lost. */
export const confirmed = (question: string, act: () => Promise<unknown>): void => {
  // A browser's own question: it takes the keyboard, and a screen reader reads it.
  if (window.confirm(question)) void act();
};
