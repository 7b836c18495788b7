import { element } from '../../ui/element.ts';
import { showDialog } from './showDialog.ts';
import { button, input, labeled, select } from './uiParts.ts';

/** The values of a form, by field name. */
export type FormValues = Readonly<Record<string, string | boolean | readonly string[]>>;

interface FieldBase {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** Whether the field is shown and part of the values. Default: always. */
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
        /** Limits of a number. */
        readonly min?: number;
        readonly max?: number;
      }
    | { readonly kind: 'long'; readonly value?: string }
    | {
        readonly kind: 'choice';
        readonly options: readonly (readonly [value: string, text: string])[];
        readonly value?: string;
      }
    | {
        readonly kind: 'many';
        readonly options: readonly (readonly [value: string, text: string])[];
        /** Those that are not among the options are offered too. */
        readonly values: readonly string[];
      }
    | { readonly kind: 'check'; readonly value: boolean }
  );

interface MountedField {
  readonly field: FormField;
  readonly root: HTMLElement;
  readonly read: () => string | boolean | readonly string[];
}

let hints = 0;

/** Adds a hint below the field, as its description and not as part of its name. */
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
        // Browsers reject internationalized addresses; the portal accepts them.
        type: field.type === 'email' ? 'text' : (field.type ?? 'text'),
        ...(field.type === 'email' && { inputmode: 'email' }),
        value: field.value ?? '',
        autocomplete: field.type === 'password' ? 'new-password' : 'off',
        ...(field.placeholder !== undefined && { placeholder: field.placeholder }),
        ...(field.isRequired === true && { required: '' }),
        ...(field.min !== undefined && { min: String(field.min) }),
        ...(field.max !== undefined && { max: String(field.max) }),
      });
      return {
        field,
        root: withHint(field, labeled(field.label, control)),
        read: () => control.value.trim(),
      };
    }
    case 'long': {
      const control = element('textarea', { attributes: { rows: '3' }, text: field.value ?? '' });
      return { field, root: withHint(field, labeled(field.label, control)), read: () => control.value };
    }
    case 'choice': {
      const control = select(field.options);
      if (field.value !== undefined) control.value = field.value;
      return { field, root: withHint(field, labeled(field.label, control)), read: () => control.value };
    }
    case 'many': {
      const offered = new Map([
        ...field.options,
        ...field.values
          .filter((value) => !field.options.some(([option]) => option === value))
          .map((value) => [value, value] as const),
      ]);
      const boxes = [...offered].map(([option, text]) => ({
        option,
        ...checkbox(text, field.values.includes(option)),
      }));
      const set = element('fieldset', {
        class: 'many',
        children: [
          element('legend', { text: field.label }),
          ...(boxes.length === 0
            ? [element('span', { class: 'hint', text: 'Nothing to choose from yet.' })]
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

/** The fields of a form, kept consistent with each other. */
export interface MountedForm {
  readonly root: HTMLElement;
  /** The values of the fields that are shown. */
  readonly values: () => FormValues;
}

/** Creates the fields of a form. */
export const mountFields = (fields: readonly FormField[]): MountedForm => {
  const mounted = fields.map(mountField);
  const all = () => Object.fromEntries(mounted.map(({ field, read }) => [field.name, read()]));
  const root = element('div', { class: 'fields', children: mounted.map((one) => one.root) });
  const update = () => {
    const values = all();
    for (const one of mounted) {
      const isHidden = one.field.shownIf?.(values) === false;
      one.root.hidden = isHidden;
      // Hidden fields must not prevent submission.
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

/** A dialog with a form. */
export interface FormDialog {
  readonly title: string;
  readonly action: string;
  readonly fields: readonly FormField[];
  /** Saves the values; `before` are those first shown. If it rejects, the error is shown and the form stays open. */
  readonly submit: (values: FormValues, before: FormValues) => Promise<unknown>;
}

/** Opens a dialog with a form. */
export const openForm = ({ title, action, fields, submit }: FormDialog): void => {
  const form = mountFields(fields);
  const before = form.values();
  const problem = element('p', { class: 'message', attributes: { role: 'alert' } });
  const save = element('button', { class: 'main', text: action, attributes: { type: 'submit' } });
  const body = element('form', {
    children: [
      form.root,
      problem,
      element('div', {
        class: 'actions',
        children: [button('Cancel', () => close()), save],
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
    submit(form.values(), before)
      .then(() => {
        close();
        return undefined;
      })
      .catch((error: unknown) => {
        // The view was left meanwhile: show the error in the console's status line.
        if (!dialog.open) throw error;
        problem.textContent = error instanceof Error ? error.message : 'Could not save this.';
        save.disabled = false;
      });
  });
  const close = showDialog(dialog);
};

/** Asks for confirmation before a loss. */
export const confirmed = (question: string, act: () => Promise<unknown>): void => {
  // The browser's own dialog: it handles focus and screen readers.
  if (window.confirm(question)) void act();
};
