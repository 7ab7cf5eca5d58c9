/** What this conversation is and how it runs: name, model, effort, what it may do, where, how full the context is. */
import {
  ChevronsDown,
  Command,
  Folder,
  Heading,
  Menu as MenuIcon,
  PanelLeftOpen,
  SlidersHorizontal,
  Type as TypeIcon,
} from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { lampOf, nameOf } from '../conversations/group-conversations.ts';
import { NameField } from '../conversations/NameField.tsx';
import { DrawerButtons } from '../drawer/DrawerButtons.tsx';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showName } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { projectName } from '../ui/format.ts';
import { Guard } from '../ui/Guard.tsx';
import { Lamp } from '../ui/Lamp.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { ContextRing } from './ContextRing.tsx';
import { type HeaderPart, hasMenu } from './collapse-header.ts';
import styles from './Header.module.css';
import { EffortPicker, ModelPicker } from './ModelPicker.tsx';
import { ModePicker } from './ModePicker.tsx';
import { CollapsedParts, useCollapsed, useIsCollapsed } from './use-collapsed.ts';

const AttemptsButton = lazyPart((later) => later.AttemptsButton, { isPatient: true });
const MoreMenu = lazyPart((later) => later.MoreMenu);

export function Header() {
  const isOpen = useApp((state) => state.openId !== null && state.openState !== 'missing');
  const isSidebarShown = useApp((state) => state.device.isSidebarShown || state.isBeside);
  const { show, setDevice } = useCommands();
  const header = useRef<HTMLElement>(null);
  const collapsed = useCollapsed(header);
  return (
    <CollapsedParts value={collapsed}>
      <header ref={header} className={styles.header}>
        <span data-fixed className={styles.sheet}>
          <Button tone="quiet" icon={<MenuIcon size={18} />} name={en.sidebar.show} onClick={() => show('sidebar')} />
        </span>
        {!isSidebarShown && (
          <span data-fixed className={styles.panel}>
            <Button
              tone="quiet"
              icon={<PanelLeftOpen size={16} />}
              name={en.sidebar.show}
              onClick={() => setDevice({ isSidebarShown: true })}
            />
          </span>
        )}
        {isOpen ? <Conversation /> : <span className={styles.grow} />}
        <DrawerButtons />
        <Part name="palette">
          <Button tone="quiet" icon={<Command size={16} />} name={en.header.palette} onClick={() => show('palette')} />
        </Part>
        {hasMenu(collapsed) && (
          <span data-part="menu" className={styles.part}>
            <Guard fallback={() => null}>
              <MoreMenu collapsed={collapsed} />
            </Guard>
          </span>
        )}
      </header>
    </CollapsedParts>
  );
}

/** A part that leaves the header for its menu when there is no room. It stays in the document, unseen, so that its width is known. */
function Part({ name, children }: { readonly name: HeaderPart; readonly children: ReactNode }) {
  const isCollapsed = useIsCollapsed(name);
  return (
    <span data-part={name} className={classes(styles.part, isCollapsed && styles.collapsed)}>
      {children}
    </span>
  );
}

function Conversation() {
  const { show } = useCommands();
  return (
    <>
      <Name />
      <Part name="model">
        <ModelPicker />
      </Part>
      <Part name="effort">
        <EffortPicker />
      </Part>
      <Mode />
      <Part name="cwd">
        <Cwd />
      </Part>
      <span className={styles.grow} />
      <AttemptsButton />
      <Part name="context">
        <ContextRing />
      </Part>
      <Part name="markdown">
        <MarkdownToggle />
      </Part>
      <Part name="follow">
        <Follow />
      </Part>
      <Part name="details">
        <Button
          tone="quiet"
          icon={<SlidersHorizontal size={16} />}
          name={en.header.details}
          onClick={() => show('details')}
        />
      </Part>
    </>
  );
}

function Mode() {
  const isBrief = useIsCollapsed('sandbox');
  return (
    <Part name="mode">
      <ModePicker isBrief={isBrief} />
    </Part>
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
      <div data-title className={styles.name}>
        <NameField
          name={name ?? ''}
          onDone={(label) => {
            setRenaming(false);
            if (label !== null) void patch(row.id, { label: label === '' ? null : label });
          }}
        />
      </div>
    );
  }
  return (
    <>
      <span data-fixed className={styles.lamp}>
        <Lamp state={lampOf(row, true)} name={en.state[row.state]} />
      </span>
      <h1 data-title className={styles.name}>
        <button
          type="button"
          title={`${showName(name ?? en.sidebar.untitled)} · ${en.sidebar.rename}`}
          onClick={() => setRenaming(true)}
        >
          {showName(name ?? en.sidebar.untitled)}
        </button>
      </h1>
    </>
  );
}

function Cwd() {
  const cwd = useApp((state) => state.meta?.cwd);
  const branch = useApp((state) => (state.openId === null ? undefined : state.branches.get(state.openId)));
  const { show } = useCommands();
  if (cwd === undefined) return null;
  return (
    <button type="button" className={styles.cwd} title={showName(cwd)} onClick={() => show('details')}>
      <Folder size={12} aria-hidden />
      <span>{showName(branch ?? projectName(cwd))}</span>
    </button>
  );
}

function MarkdownToggle() {
  const id = useApp((state) => state.meta?.conversation_id);
  const isOn = useApp((state) => state.meta?.markdown === true);
  const { patch } = useCommands();
  if (id === undefined) return null;
  return (
    <Button
      tone="quiet"
      aria-pressed={isOn}
      icon={isOn ? <Heading size={16} /> : <TypeIcon size={16} />}
      name={en.header.markdown}
      title={en.header.markdownHint}
      onClick={() => void patch(id, { markdown: !isOn })}
    />
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
      className={styles.follow}
      icon={<ChevronsDown size={16} />}
      name={isPinned ? en.header.pinned : en.header.free}
      onClick={() => setFollow(isPinned ? 'free' : 'pinned')}
    />
  );
}
