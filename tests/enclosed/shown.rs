//! What a sandbox shows of the machine's files, and of its kernel.

use std::fs;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;
use nix::mount::{MsFlags, mount, umount};
use tempfile::TempDir;
use tfconform::sandbox::SandboxConfig;

use super::fixture::MODE;
use super::reach::{assert_nothing_done, outcomes};
use super::{Enclosed, trial_with, us};

pub fn trials(closed: &Result<(), String>) -> Vec<Trial> {
    let with = |name: &str, body: fn()| trial_with(name, closed.clone(), move |()| body());
    vec![
        with("shown/no_socket_or_pipe_in_a_shown_folder", shown_sockets),
        with("shown/no_private_file_of_root", private_files),
        with("shown/no_more_of_the_kernel_than_needed", kernel),
        with("shown/nothing_but_the_system_and_what_is_named", unnamed),
        with("shown/what_is_mounted_in_a_shown_folder_is_shown", mounted),
        with("shown/what_only_root_may_read_is_told", root_only),
    ]
}

/// A folder that everybody may read.
fn open_folder() -> TempDir {
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

/// Listeners and names of every kind in a folder, bound by names that the kernel's tables do not lead back
/// from.
fn shown_sockets() {
    let folder = open_folder();
    let place = |name: &str| folder.path().join(name);
    let open = |name: &str| fs::set_permissions(place(name), fs::Permissions::from_mode(0o777)).unwrap();
    // As with a relative path, the kernel's table of sockets does not tell where these are.
    let near = fs::File::open(folder.path()).unwrap();
    let relative = |name: &str| format!("/proc/self/fd/{}/{name}", near.as_raw_fd());
    let mut streams = vec![UnixListener::bind(relative("relative")).unwrap()];
    streams.push(UnixListener::bind(place("before")).unwrap());
    fs::rename(place("before"), place("renamed")).unwrap();
    let _datagram = UnixDatagram::bind(relative("datagram")).unwrap();
    nix::unistd::mkfifo(&place("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let mut options = fs::OpenOptions::new();
    let _reader = options.read(true).custom_flags(libc::O_NONBLOCK).open(place("pipe")).unwrap();
    ["relative", "renamed", "datagram", "pipe"].iter().for_each(|name| open(name));
    let enclosed = Enclosed::with(|config| config.program_dirs = vec![folder.path().into()]);
    streams.push(UnixListener::bind(relative("later")).unwrap());
    open("later");
    let action = |verb: &str, name: &str| format!("{verb} {}", place(name).display());
    let tried = [
        ("unix", "relative"),
        ("unix", "renamed"),
        ("datagram", "datagram"),
        ("pipe", "pipe"),
        ("unix", "later"),
    ];
    let actions = tried.map(|(verb, name)| action(verb, name));
    assert_nothing_done(&outcomes(&enclosed, &actions));
    // Nothing else keeps anyone from them.
    UnixDatagram::unbound().unwrap().connect(place("datagram")).unwrap();
    for name in ["relative", "renamed", "later"] {
        UnixStream::connect(place(name)).unwrap();
    }
}

fn private_files() {
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    let secret = folder.path().join("secret");
    fs::write(&secret, "secret").unwrap();
    fs::write(folder.path().join("open"), "open").unwrap();
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
    let enclosed = Enclosed::with(|config| config.program_dirs = vec![folder.path().into()]);
    let read = |name: &str| format!("read {}", folder.path().join(name).display());
    assert_eq!(outcomes(&enclosed, &[read("open")]), ["read: done open"]);
    if nix::unistd::geteuid().is_root() {
        assert_nothing_done(&outcomes(&enclosed, &[read("secret"), "read /etc/shadow".to_owned()]));
    }
}

fn kernel() {
    let interfaces = ["vsock", "io_uring", "user", "clone", "clone3", "keys", "add-key"];
    let actions = interfaces.map(|interface| format!("kernel {interface}"));
    assert_nothing_done(&outcomes(&Enclosed::new(), &actions));
}

fn unnamed() {
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "there").unwrap();
    let read = |path: &Path| format!("read {}", path.display());
    let actions = [read(&file), read(Path::new("/sys/kernel/uevent_seqnum")), read(Path::new("/proc/keys"))];
    assert_nothing_done(&outcomes(&Enclosed::new(), &actions));
    let named = Enclosed::with(|config| config.program_dirs = vec![file.clone()]);
    assert_eq!(outcomes(&named, &[read(&file), read(Path::new("/etc/passwd"))])[0], "read: done there");
}

/// In a user namespace an overlay of such a folder is refused; in either case it is seen as a whole.
fn mounted() {
    let as_root = nix::unistd::geteuid().is_root().then_some("mounted-as-root");
    for mode in as_root.into_iter().chain(["mounted-as-user"]) {
        let mut command = Command::new(&us()[0]);
        let output = command.env(MODE, mode).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{mode}: {told}");
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            "read: done above\nread: done below\n",
            "{mode}: {told}"
        );
    }
}

/// Whatever a sandbox shows of a folder in which something is mounted.
pub fn show_mounted() {
    let folder = open_folder();
    let below = folder.path().join("a/b");
    fs::create_dir_all(&below).unwrap();
    fs::write(folder.path().join("a/file"), "above").unwrap();
    let options = Some("mode=755");
    mount(Some("t"), &below, Some("tmpfs"), MsFlags::empty(), options).unwrap();
    fs::write(below.join("file"), "below").unwrap();
    let enclosed = Enclosed::with(|config| config.program_dirs = vec![folder.path().into()]);
    assert!(enclosed.sandbox.is_closed(), "{:?}", enclosed.sandbox.isolation().why_not);
    let actions = ["a/file", "a/b/file"].map(|name| format!("read {}", folder.path().join(name).display()));
    outcomes(&enclosed, &actions).iter().for_each(|outcome| println!("{outcome}"));
    drop(enclosed);
    umount(&below).unwrap();
}

fn root_only() {
    if !nix::unistd::geteuid().is_root() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("provider");
    fs::write(&program, "").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
    let scratch = tempfile::tempdir().unwrap();
    let mut config = SandboxConfig::new(scratch.path());
    config.program_dirs = vec![program.clone()];
    let error = config.start().err().unwrap().to_string();
    assert!(error.starts_with(&format!("{} cannot be read in the sandbox", program.display())), "{error}");
}
