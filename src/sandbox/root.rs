//! A new root folder: a few folders of the machine, read-only, without its sockets and pipes, and
//! empty folders to write to. Linux only.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, symlink};
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sys::stat::{Mode, umask};

use super::ipc::Plan;
use super::mounts::{
    NO_DEVICES, NO_SET_USER_ID, READ_ONLY, Source, cannot, empty_folder, mount_points, set_flags,
};
use super::probe::CANARIES;
use super::running::SOCKETS;

/// The devices that programs rely on; none gives access to hardware.
const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];
const LINKS: [(&str, &str); 5] = [
    ("/dev/fd", "/proc/self/fd"),
    ("/dev/stdin", "/proc/self/fd/0"),
    ("/dev/stdout", "/proc/self/fd/1"),
    ("/dev/stderr", "/proc/self/fd/2"),
    ("/var/run", "/run"),
];
/// Folders that programs expect to be writable. What they hold disappears with the sandbox.
const WRITABLE: [&str; 3] = ["/dev/shm", "/tmp", "/var/tmp"];
/// Files that tell of keys of the machine.
const KEYS: [&str; 2] = ["/proc/keys", "/proc/key-users"];

/// What is put at one path of the new root.
enum Part {
    /// A view of a folder or file of the machine.
    View(Source),
    /// The same object as on the machine.
    Same(Source),
    Empty {
        writable: bool,
    },
}

/// What did not go as planned.
#[derive(Default)]
pub struct Gaps {
    /// Optional steps that failed.
    pub shortcomings: Vec<String>,
    /// Why sockets of the machine may be reached.
    pub sockets: Vec<String>,
}

/// Replaces the root folder of this mount namespace.
pub fn replace(plan: &Plan) -> Result<Gaps, String> {
    // Whatever we make can be read by all; what is started keeps the mask that we were started with.
    let mask = umask(Mode::from_bits_truncate(0o022));
    let private = MsFlags::MS_REC | MsFlags::MS_PRIVATE;
    let old = Path::new("/");
    mount(None::<&str>, old, None::<&str>, private, None::<&str>)
        .map_err(|error| cannot("detach", old, error))?;
    let scratch = Path::new(&plan.scratch);
    let parts = parts(plan)?;
    // Everything is opened by now, so what this hides is not missed.
    let root = Root { at: scratch.to_owned(), top: top(scratch)?, mount_points: own_mount_points() };
    let mut gaps = Gaps::default();
    for (path, part) in &parts {
        root.put(&root.place(path), part, &mut gaps)?;
    }
    for (path, target) in &plan.links {
        root.link(Path::new(path), Path::new(target), &mut gaps);
    }
    for (path, target) in LINKS {
        root.link(Path::new(path), Path::new(target), &mut gaps);
    }
    root.proc(&mut gaps)?;
    root.enter()?;
    // From here on, devices and set-user-ID programs of the machine have no effect.
    set_flags(old, true, READ_ONLY | NO_DEVICES | NO_SET_USER_ID, 0)?;
    for path in WRITABLE.iter().map(Path::new).chain([scratch, Path::new(SOCKETS)]) {
        set_flags(path, false, 0, READ_ONLY)?;
    }
    for device in DEVICES {
        set_flags(&Path::new("/dev").join(device), false, 0, NO_DEVICES)?;
    }
    nix::unistd::chdir(scratch).map_err(|error| cannot("enter", scratch, error))?;
    umask(mask);
    Ok(gaps)
}

/// What is put where, with folders before what is in them.
fn parts(plan: &Plan) -> Result<Vec<(PathBuf, Part)>, String> {
    let hidden: Vec<PathBuf> = plan.hidden.iter().map(PathBuf::from).collect();
    let mut views: Vec<PathBuf> = plan.shown.iter().map(PathBuf::from).collect();
    let depth = |folders: &[PathBuf], path: &Path| {
        let around = folders.iter().filter(|folder| path.starts_with(folder) && path != *folder);
        around.map(|folder| folder.components().count()).max()
    };
    // What is mounted in a view is not part of it.
    let is_seen = |point: &PathBuf| depth(&views, point) > depth(&hidden, point);
    let points: Vec<PathBuf> = own_mount_points().into_iter().filter(is_seen).collect();
    views.extend(points.into_iter().filter(|point| !hidden.contains(point)));
    views.sort();
    views.dedup();
    let mut parts: Vec<(PathBuf, Part)> = Vec::new();
    let empty = |path: PathBuf, writable| (path, Part::Empty { writable });
    parts.extend(["/dev", "/run"].map(|path| empty(path.into(), false)));
    parts.extend(WRITABLE.map(|path| empty(path.into(), true)));
    let is_empty = |path: &PathBuf| WRITABLE.iter().any(|writable| path == Path::new(writable));
    parts.extend(hidden.into_iter().filter(|path| !is_empty(path)).map(|path| empty(path, false)));
    for path in views {
        parts.push((path.clone(), Part::View(Source::open(path)?)));
    }
    if let Some(canaries) = &plan.canaries {
        parts.push((CANARIES.into(), Part::View(Source::open(canaries)?)));
    }
    for device in DEVICES.map(|name| Path::new("/dev").join(name)) {
        parts.push((device.clone(), Part::Same(Source::open(device)?)));
    }
    let scratch = PathBuf::from(&plan.scratch);
    parts.push((SOCKETS.into(), Part::Same(Source::open(&scratch)?)));
    parts.push((scratch.clone(), Part::Same(Source::open(&scratch)?)));
    parts.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(parts)
}

fn own_mount_points() -> Vec<PathBuf> {
    let table = fs::read("/proc/self/mountinfo").unwrap_or_default();
    mount_points(&String::from_utf8_lossy(&table))
}

/// Mounts what becomes the root folder, and opens the empty folder that lends its mode to every view.
fn top(at: &Path) -> Result<Source, String> {
    empty_folder(at, "755", "16m")?;
    let top = at.join(".top");
    make_folder(&top)?;
    Source::open(top)
}

struct Root {
    /// Where it is mounted until it is entered.
    at: PathBuf,
    top: Source,
    mount_points: Vec<PathBuf>,
}

impl Root {
    /// Where a path of the new root is until it is entered.
    fn place(&self, path: &Path) -> PathBuf {
        self.at.join(path.strip_prefix("/").unwrap_or(path))
    }

    fn put(&self, target: &Path, part: &Part, gaps: &mut Gaps) -> Result<(), String> {
        let is_dir = match part {
            Part::View(source) | Part::Same(source) => source.is_dir,
            Part::Empty { .. } => true,
        };
        if is_dir {
            make_folder(target)?;
        } else {
            make_file(target)?;
        }
        match part {
            Part::Empty { writable: true } => empty_folder(target, "1777", "256m"),
            Part::Empty { writable: false } => empty_folder(target, "755", "1m"),
            Part::Same(source) => source.bind(target),
            Part::View(source) if source.is_dir => self.view(source, target, gaps),
            // A socket or a pipe is not shown.
            Part::View(source) if source.is_file() => source.bind(target),
            Part::View(_) => Ok(()),
        }
    }

    fn view(&self, source: &Source, target: &Path, gaps: &mut Gaps) -> Result<(), String> {
        match source.overlay(&self.top, target) {
            Ok(()) => Ok(()),
            // In a user namespace, what is below a mount may not be uncovered.
            Err(Errno::EINVAL) if self.has_mounts(&source.path) => self.view_entries(source, target, gaps),
            Err(error) => {
                gaps.sockets.push(format!(
                    "{} cannot be shown without its sockets and pipes (overlay: {})",
                    source.path.display(),
                    error.desc()
                ));
                source.bind_all(target)
            }
        }
    }

    fn has_mounts(&self, folder: &Path) -> bool {
        self.mount_points.iter().any(|point| point.starts_with(folder) && point != folder)
    }

    /// The same, entry by entry.
    fn view_entries(&self, source: &Source, target: &Path, gaps: &mut Gaps) -> Result<(), String> {
        let failed = |error: io::Error| cannot("show", &source.path, error);
        empty_folder(target, "755", "16m")?;
        for entry in fs::read_dir(source.by_handle()).map_err(failed)?.flatten() {
            let (path, target) = (source.path.join(entry.file_name()), target.join(entry.file_name()));
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_symlink() {
                let link = fs::read_link(entry.path()).and_then(|link| symlink(link, &target));
                link.map_err(|error| cannot("link", &path, error))?;
            } else if kind.is_dir() || kind.is_file() {
                // Not every entry may be readable for this user.
                let Ok(mut inner) = Source::open(entry.path()) else { continue };
                inner.path = path.clone();
                let part = Part::View(inner);
                self.put(&target, &part, gaps)?;
            }
        }
        Ok(())
    }

    /// Creates a symlink, unless there is something already.
    fn link(&self, path: &Path, target: &Path, gaps: &mut Gaps) {
        let place = self.place(path);
        if fs::symlink_metadata(&place).is_ok() {
            return;
        }
        let made = place.parent().map_or(Ok(()), make_folder);
        let made = made.and_then(|()| symlink(target, &place).map_err(|error| cannot("link", path, error)));
        gaps.shortcomings.extend(made.err());
    }

    fn proc(&self, gaps: &mut Gaps) -> Result<(), String> {
        let place = self.place(Path::new("/proc"));
        make_folder(&place)?;
        let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
        if let Err(error) = mount(Some("proc"), &place, Some("proc"), flags, None::<&str>) {
            gaps.shortcomings.push(format!("/proc still shows the processes of the machine: {error}"));
            Source::open("/proc")?.bind_all(&place)?;
        }
        let nothing = Source::open(self.place(Path::new("/dev/null")))?;
        for path in KEYS.map(Path::new) {
            let place = self.place(path);
            if place.exists() {
                nothing.bind(&place)?;
            }
        }
        Ok(())
    }

    /// Makes it the root, and lets go of the old one.
    fn enter(&self) -> Result<(), String> {
        let here = Path::new(".");
        nix::unistd::chdir(&self.at).map_err(|error| cannot("enter", &self.at, error))?;
        nix::unistd::pivot_root(here, here).map_err(|error| cannot("replace", Path::new("/"), error))?;
        umount2(here, MntFlags::MNT_DETACH).map_err(|error| cannot("leave", Path::new("/"), error))?;
        nix::unistd::chdir("/").map_err(|error| cannot("enter", Path::new("/"), error))
    }
}

fn make_folder(path: &Path) -> Result<(), String> {
    let made = fs::DirBuilder::new().recursive(true).mode(0o755).create(path);
    made.map_err(|error| cannot("make", path, error))
}

fn make_file(path: &Path) -> Result<(), String> {
    if path.exists() {
        return Ok(());
    }
    path.parent().map_or(Ok(()), make_folder)?;
    File::create(path).map(drop).map_err(|error| cannot("make", path, error))
}
