//! Enters namespaces and sets up what processes see there. Linux only.
//!
//! After `leave` and `settle` there is a network with only a loopback, a file system that is
//! read-only except for the scratch folder, and a first process (us) that takes all others with it
//! when it exits.

use std::ffi::{CString, OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, getegid, geteuid, sethostname};

use super::ipc::Plan;
use super::openness::Openness;

/// Passes none of our open files to the processes we start.
pub fn close_on_exec() {
    // If the kernel lacks the call, we rely on our parent to have been careful.
    // SAFETY: the call only sets a flag on descriptors.
    unsafe {
        libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC);
    }
}

/// Leaves every namespace except the PID namespace, which our next child will leave, and that of the network
/// if it stays open.
///
/// The error is the reason why the system does not allow it.
pub fn leave(open: Openness) -> Result<(), String> {
    let (user, group) = (geteuid(), getegid());
    let mut flags = CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWPID
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWUTS;
    flags.set(CloneFlags::CLONE_NEWNET, !open.opens_network());
    match unshare(flags | CloneFlags::CLONE_NEWUSER) {
        Ok(()) => {}
        // Root needs no user namespace for the others.
        Err(_) if user.is_root() && unshare(flags).is_ok() => return Ok(()),
        Err(error) => return Err(format!("the kernel refuses new namespaces ({error}){}", hint())),
    }
    let map = |file: &str, text: String| {
        fs::write(file, text).map_err(|error| format!("{file} cannot be written ({error}){}", hint()))
    };
    // Kernels before 3.19 neither have nor require this file.
    if Path::new("/proc/self/setgroups").exists() {
        map("/proc/self/setgroups", "deny".to_owned())?;
    }
    map("/proc/self/gid_map", format!("{group} {group} 1"))?;
    map("/proc/self/uid_map", format!("{user} {user} 1"))
}

/// The usual cause of a refusal.
fn hint() -> &'static str {
    let says = |file: &str, value: &str| fs::read_to_string(file).is_ok_and(|text| text.trim() == value);
    if says("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1") {
        "; sysctl kernel.apparmor_restrict_unprivileged_userns is 1"
    } else if says("/proc/sys/kernel/unprivileged_userns_clone", "0") {
        "; sysctl kernel.unprivileged_userns_clone is 0"
    } else if says("/proc/sys/user/max_user_namespaces", "0") {
        "; sysctl user.max_user_namespaces is 0"
    } else if Path::new("/.dockerenv").exists() {
        "; containers need --security-opt seccomp=unconfined or --privileged for it"
    } else {
        ""
    }
}

/// Sets up the new namespaces. Must be called by their first process.
///
/// Returns the optional steps that failed.
pub fn settle(plan: &Plan) -> Result<Vec<String>, String> {
    // The process outside may already have died; the closed socket tells us then.
    prctl::set_pdeathsig(Signal::SIGKILL).map_err(|error| format!("PR_SET_PDEATHSIG fails: {error}"))?;
    let mut shortcomings = Vec::new();
    if let Err(error) = sethostname(&plan.hostname) {
        shortcomings.push(format!("the host's name cannot be changed: {error}"));
    }
    if !plan.open.opens_network() {
        loopback_up().map_err(|error| format!("the loopback cannot be set up: {error}"))?;
    }
    mounts(plan, &mut shortcomings)?;
    drop_capabilities().map_err(|error| format!("capabilities cannot be dropped: {error}"))?;
    Ok(shortcomings)
}

fn loopback_up() -> io::Result<()> {
    let socket = std::net::UdpSocket::bind("0.0.0.0:0")?;
    // SAFETY: the record is plain data; the call reads and writes only that.
    unsafe {
        let mut request = std::mem::zeroed::<libc::ifreq>();
        for (to, from) in request.ifr_name.iter_mut().zip(b"lo") {
            *to = from.cast_signed();
        }
        let up = libc::IFF_UP | libc::IFF_RUNNING;
        request.ifr_ifru.ifru_flags = libc::c_short::try_from(up).map_err(io::Error::other)?;
        match libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS, &raw mut request) {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// Makes everything we start run unprivileged, even as root, since it could undo the mounts. We
/// keep our own capabilities, which also keeps other processes from tracing us.
fn drop_capabilities() -> nix::Result<()> {
    prctl::set_no_new_privs()?;
    /// Root has no special rights, and this cannot be changed back.
    const NO_ROOT_LOCKED: libc::c_ulong = 0b11;
    let call = |option, argument: libc::c_ulong| {
        // SAFETY: these calls only take numbers.
        Errno::result(unsafe { libc::prctl(option, argument, 0, 0, 0) })
    };
    call(libc::PR_SET_SECUREBITS, NO_ROOT_LOCKED)?;
    let all = libc::c_ulong::try_from(libc::PR_CAP_AMBIENT_CLEAR_ALL).unwrap_or_default();
    call(libc::PR_CAP_AMBIENT, all)?;
    for power in 0.. {
        match call(libc::PR_CAPBSET_DROP, power) {
            Ok(_) => {}
            // There are no more.
            Err(Errno::EINVAL) if power > 0 => break,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// The devices that programs rely on; none gives access to hardware.
const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];
const LINKS: [(&str, &str); 4] = [
    ("fd", "/proc/self/fd"),
    ("stdin", "/proc/self/fd/0"),
    ("stdout", "/proc/self/fd/1"),
    ("stderr", "/proc/self/fd/2"),
];

/// A file or folder to show in its old place, which something hides now.
struct Shown {
    path: PathBuf,
    /// Refers to it regardless of what hides it.
    handle: File,
    is_dir: bool,
}

impl Shown {
    fn new(path: PathBuf) -> Result<Self, String> {
        let mut options = OpenOptions::new();
        let opened = options.read(true).custom_flags(libc::O_PATH | libc::O_CLOEXEC).open(&path);
        let handle = opened.map_err(|error| cannot("open", &path, error))?;
        let is_dir = handle.metadata().is_ok_and(|metadata| metadata.is_dir());
        Ok(Self { path, handle, is_dir })
    }

    fn show(&self) -> Result<(), String> {
        if !self.path.exists() {
            let parent = if self.is_dir { Some(self.path.as_path()) } else { self.path.parent() };
            let made = parent.map_or(Ok(()), fs::create_dir_all);
            let made =
                made.and_then(|()| if self.is_dir { Ok(()) } else { File::create(&self.path).map(drop) });
            made.map_err(|error| cannot("make", &self.path, error))?;
        }
        self.show_at(&self.path)
    }

    fn show_at(&self, target: &Path) -> Result<(), String> {
        let source = format!("/proc/self/fd/{}", self.handle.as_raw_fd());
        bind(Path::new(&source), target)
    }
}

fn cannot(action: &str, path: &Path, error: impl Into<io::Error>) -> String {
    let error = error.into();
    let hint = if error.kind() == io::ErrorKind::PermissionDenied { hint() } else { "" };
    format!("failed to {action} {} in a namespace: {error}{hint}", path.display())
}

fn bind(source: &Path, target: &Path) -> Result<(), String> {
    let flags = MsFlags::MS_BIND | MsFlags::MS_REC;
    let bound = mount(Some(source), target, None::<&str>, flags, None::<&str>);
    bound.map_err(|error| cannot("mount", target, error))
}

fn empty_folder(path: &Path, writable: bool) -> Result<(), String> {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    let options = if writable { "mode=1777,size=256m" } else { "mode=755,size=1m" };
    let mounted = mount(Some("tfconform"), path, Some("tmpfs"), flags, Some(options));
    mounted.map_err(|error| cannot("hide", path, error))
}

fn mounts(plan: &Plan, shortcomings: &mut Vec<String>) -> Result<(), String> {
    let root = Path::new("/");
    let private = MsFlags::MS_REC | MsFlags::MS_PRIVATE;
    mount(None::<&str>, root, None::<&str>, private, None::<&str>)
        .map_err(|error| cannot("detach", root, error))?;
    // First open everything that is about to be hidden.
    let scratch = Path::new(&plan.scratch);
    let mut shown = vec![Shown::new(scratch.into())?];
    for keep in &plan.keeps {
        shown.push(Shown::new(keep.into())?);
    }
    shown.sort_by(|a, b| a.path.cmp(&b.path));
    let dev = Path::new("/dev");
    let devices = DEVICES.map(|name| Shown::new(dev.join(name)));
    let devices = devices.into_iter().collect::<Result<Vec<_>, _>>()?;
    for dir in &plan.hidden_dirs {
        empty_folder(Path::new(&dir.path), dir.writable)?;
    }
    empty_folder(dev, false)?;
    for one in shown.iter().chain(&devices) {
        one.show()?;
    }
    for (path, target) in &plan.links {
        if let Err(error) = link_again(Path::new(path), target) {
            shortcomings.push(format!("the symlink {} cannot be created: {error}", path.display()));
        }
    }
    hide_sockets(&plan.sockets, scratch, &devices[0])?;
    let failed = |error: io::Error| cannot("fill", dev, error);
    for (name, target) in LINKS {
        symlink(target, dev.join(name)).map_err(failed)?;
    }
    let memory = dev.join("shm");
    fs::create_dir(&memory).map_err(failed)?;
    empty_folder(&memory, true)?;
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    if let Err(error) = mount(Some("proc"), "/proc", Some("proc"), flags, None::<&str>) {
        shortcomings.push(format!("/proc still shows the processes of the machine: {error}"));
    }
    // From here on, devices and set-user-ID programs of the machine have no effect.
    set_flags(root, true, READ_ONLY | NO_DEVICES | NO_SET_USER_ID, 0)?;
    set_flags(scratch, false, 0, READ_ONLY)?;
    set_flags(&memory, false, 0, READ_ONLY)?;
    for dir in plan.hidden_dirs.iter().filter(|dir| dir.writable) {
        set_flags(Path::new(&dir.path), false, 0, READ_ONLY)?;
    }
    for device in &devices {
        set_flags(&device.path, false, 0, NO_DEVICES)?;
    }
    // The old working folder would bypass the mount that hides it.
    nix::unistd::chdir(scratch).map_err(|error| cannot("enter", scratch, error))
}

/// Creates a symlink in a hidden folder; in a visible folder it already exists.
fn link_again(path: &Path, target: &OsStr) -> io::Result<()> {
    if fs::symlink_metadata(path).is_ok() {
        return Ok(());
    }
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    symlink(target, path)
}

/// Covers each visible socket file of the machine with a dead file: a read-only file system does
/// not prevent connecting.
fn hide_sockets(sockets: &[OsString], scratch: &Path, nothing: &Shown) -> Result<(), String> {
    for path in sockets.iter().map(Path::new).filter(|path| !path.starts_with(scratch)) {
        let is_there = || fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_socket());
        // The listener may be gone, and its file with it, between two looks.
        if is_there()
            && let Err(why) = nothing.show_at(path)
            && is_there()
        {
            return Err(why);
        }
    }
    Ok(())
}

const READ_ONLY: u64 = 1;
const NO_SET_USER_ID: u64 = 2;
const NO_DEVICES: u64 = 4;

/// `mount_setattr(2)`, which needs Linux 5.12; older calls cannot change all mounts at once, and
/// would have to visit each.
fn set_flags(path: &Path, recursive: bool, set: u64, clear: u64) -> Result<(), String> {
    /// In the kernel's layout.
    #[repr(C)]
    struct Attributes {
        set: u64,
        clear: u64,
        propagation: u64,
        user_namespace: u64,
    }
    const AT_RECURSIVE: libc::c_int = 0x8000;
    let text = CString::new(path.as_os_str().as_bytes()).map_err(|error| cannot("protect", path, error))?;
    let attributes = Attributes { set, clear, propagation: 0, user_namespace: 0 };
    let flags = if recursive { AT_RECURSIVE } else { 0 };
    // SAFETY: the text ends in null, and the record has the given size.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            text.as_ptr(),
            flags,
            &raw const attributes,
            size_of::<Attributes>(),
        )
    };
    match result {
        0 => Ok(()),
        _ => Err(cannot("protect", path, io::Error::last_os_error())),
    }
}

/// How long killed processes may take to disappear.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);

/// Kills all our descendants, wherever they went, and reaps them: an orphan becomes our own child.
pub fn kill_descendants() {
    let began = Instant::now();
    while began.elapsed() < KILL_TIMEOUT {
        for child in children() {
            let _ = kill(child, Signal::SIGKILL);
        }
        loop {
            match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Err(Errno::ECHILD) => return,
                Err(Errno::EINTR) => {}
                Err(_) | Ok(WaitStatus::StillAlive) => break,
                Ok(_) => {}
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn children() -> Vec<Pid> {
    let us = nix::unistd::getpid();
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let numbers = processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter(|pid: &i32| parent(*pid) == Some(us)).map(Pid::from_raw).collect()
}

fn parent(pid: i32) -> Option<Pid> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The program's name is in parentheses and may contain anything.
    let end = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = OsStr::from_bytes(&stat[end..]).to_str()?;
    rest.split_whitespace().nth(2)?.parse().ok().map(Pid::from_raw)
}
