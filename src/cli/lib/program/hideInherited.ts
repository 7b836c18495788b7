import { type Command, Help, type Option } from 'commander';

/** Leaves inherited options that do not apply out of the help of a command. */
export const hideInherited = (command: Command, isHidden: (option: Option) => boolean): void => {
  const standard = Object.assign(new Help(), command.configureHelp());
  command.configureHelp({
    ...command.configureHelp(),
    visibleGlobalOptions: (of) => standard.visibleGlobalOptions(of).filter((option) => !isHidden(option)),
  });
};
