import type { ArgTypesEnhancer, StrictInputType } from 'storybook/internal/csf';

const readable = (argType: StrictInputType): StrictInputType => {
  const { type, table } = argType;
  const text = (argType.description ?? '').replaceAll(/\{@link ([^}]+)\}/g, '`$1`');
  const [sentence = '', initial] = /\s*\bDefault:?\s+([^.]+)\./.exec(text) ?? [];
  const defaultValue = initial === undefined ? undefined : { summary: initial.replaceAll('`', '') };
  const description = text.replace(sentence, '');
  if (type?.name !== 'union') return { ...argType, description, table: { ...table, defaultValue } };
  const members = type.value.filter((member) => member.name !== 'other' || member.value !== 'undefined');
  const [only = type] = members.length === 1 ? members : [];
  const written = type.raw?.replace(/ \| undefined$/, '').replace(/^\((.*)\)$/, '$1') ?? only.name;
  return {
    ...argType,
    description,
    type: written.includes('=>') ? { name: 'function' } : only,
    table: { ...table, defaultValue, type: { summary: only.name === 'enum' ? only.raw : written } },
  };
};

/**
 * Makes the table of props readable: removes `undefined` from the types of optional props, chooses a matching control,
 * and moves defaults from descriptions to their own column.
 */
export const readableTypes: ArgTypesEnhancer = ({ argTypes }) =>
  Object.fromEntries(Object.entries(argTypes).map(([name, argType]) => [name, readable(argType)]));
