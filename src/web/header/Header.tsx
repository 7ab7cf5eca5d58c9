/** What this conversation is and how it runs: name, model, effort, what it may do, where, how full the context is. */
import {
  ArrowDownToLine,
  Command,
  Folder,
  Menu as MenuIcon,
  MousePointer2,
  PanelLeftOpen,
  SlidersHorizontal,
} from 'lucide-react';
import { useState } from 'react';
import { lampOf, nameOf } from '../conversations/group-conversations.ts';
import { NameField } from '../conversations/NameField.tsx';
import { DrawerButtons } from '../drawer/DrawerButtons.tsx';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showName } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { projectName } from '../ui/format.ts';
import { Lamp } from '../ui/Lamp.tsx';
import { ContextRing } from './ContextRing.tsx';
import styles from './Header.module.css';
import { EffortPicker, ModelPicker } from './ModelPicker.tsx';
import { ModePicker } from './ModePicker.tsx';

export function Header() {
  const isOpen = useApp((state) => state.openId !== null && state.openState !== 'missing');
  const isSidebarShown = useApp((state) => state.device.isSidebarShown);
  const { show, setDevice } = useCommands();
  return (
    <header className={styles.header}>
      <Button
        tone="quiet"
        className={classes(styles.sheet)}
        icon={<MenuIcon size={18} />}
        name={en.sidebar.show}
        onClick={() => show('sidebar')}
      />
      {!isSidebarShown && (
        <Button
          tone="quiet"
          className={styles.panel}
          icon={<PanelLeftOpen size={16} />}
          name={en.sidebar.show}
          onClick={() => setDevice({ isSidebarShown: true })}
        />
      )}
      {isOpen ? <Conversation /> : <span className={styles.gap} />}
      <DrawerButtons />
      <Button
        tone="quiet"
        className={styles.palette}
        icon={<Command size={16} />}
        name={en.header.palette}
        onClick={() => show('palette')}
      />
    </header>
  );
}

function Conversation() {
  const { show } = useCommands();
  return (
    <>
      <Name />
      <div className={styles.settings}>
        <ModelPicker />
        <EffortPicker />
        <ModePicker />
        <Cwd />
      </div>
      <span className={styles.grow} />
      <ContextRing />
      <Follow />
      <Button
        tone="quiet"
        icon={<SlidersHorizontal size={16} />}
        name={en.header.details}
        onClick={() => show('details')}
      />
    </>
  );
}

function Name() {
  const row = useApp((state) => (state.openId === null ? undefined : state.list.get(state.openId)));
  const { patch } = useCommands();
  const [isRenaming, setRenaming] = useState(false);
  if (row === undefined) return null;
  const name = nameOf(row);
  if (isRenaming) {
    return (
      <NameField
        name={name ?? ''}
        onDone={(label) => {
          setRenaming(false);
          if (label !== null) void patch(row.id, { label: label === '' ? null : label });
        }}
      />
    );
  }
  return (
    <>
      <span className={styles.lamp}>
        <Lamp state={lampOf(row, true)} name={en.state[row.state]} />
      </span>
      <h1 className={styles.name}>
        <button type="button" title={en.sidebar.rename} onClick={() => setRenaming(true)}>
          {showName(name ?? en.sidebar.untitled)}
        </button>
      </h1>
    </>
  );
}

function Cwd() {
  const cwd = useApp((state) => state.meta?.cwd);
  const { show } = useCommands();
  if (cwd === undefined) return null;
  return (
    <button type="button" className={styles.cwd} title={showName(cwd)} onClick={() => show('details')}>
      <Folder size={12} aria-hidden />
      {showName(projectName(cwd))}
    </button>
  );
}

function Follow() {
  const follow = useApp((state) => state.follow);
  const { setFollow } = useCommands();
  const isPinned = follow === 'pinned';
  return (
    <Button
      tone="quiet"
      aria-pressed={isPinned}
      icon={isPinned ? <ArrowDownToLine size={16} /> : <MousePointer2 size={16} />}
      name={isPinned ? en.header.pinned : en.header.free}
      onClick={() => setFollow(isPinned ? 'free' : 'pinned')}
    />
  );
}
