const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/**
 * Programs that serve a whole login, or hold terminals and windows of a person's, whoever started them; terminals are also
 * known by what they have open, whatever they are called. Neither they nor
 * anything below them is the leftover of the pane that they were started from, although they bear its mark. As the
 * kernel names them, so with 15 characters at most.
 */
const KEEPERS = words(
  // Terminals, and what keeps them.
  'screen SCREEN zellij dtach abduco mosh-server sshd sshd-session xterm uxterm kitty alacritty wezterm-gui foot ' +
    'konsole gnome-terminal- gnome-terminal xfce4-terminal terminator tilix ttyd gotty ' +
    // Keys, buses, sound, containers, package and build daemons.
    'ssh-agent gpg-agent keyboxd dirmngr scdaemon dbus-daemon dbus-broker gnome-keyring-d pulseaudio pipewire ' +
    'dockerd containerd containerd-shim conmon rootlessport podman watchman adb sccache ccache bazel ' +
    // Windows of a person's.
    'code code-insiders codium code-server cursor zed zed-editor subl emacs idea pycharm webstorm goland nautilus ' +
    'thunar dolphin',
);

/** Whether a program keeps what others use, by its exact name. */
export function isKeeper(name: string): boolean {
  return KEEPERS.has(name);
}
