//! System calls that mount. Linux only.

use std::ffi::CString;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use nix::mount::{MsFlags, mount};

use super::hint::hint;

/// A file or folder of the machine, opened so that it can be mounted once its path leads elsewhere.
pub struct Source {
    pub path: PathBuf,
    handle: File,
    pub is_dir: bool,
}

impl Source {
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, String> {
        let path = path.into();
        let mut options = OpenOptions::new();
        let opened = options.read(true).custom_flags(libc::O_PATH | libc::O_CLOEXEC).open(&path);
        let handle = opened.map_err(|error| cannot("open", &path, error))?;
        let is_dir = handle.metadata().is_ok_and(|metadata| metadata.is_dir());
        Ok(Self { path, handle, is_dir })
    }

    /// A path that leads to it, whatever is mounted where it is.
    pub fn by_handle(&self) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}", self.handle.as_raw_fd()))
    }

    /// Whether it is a file with content, as opposed to a socket, a pipe or a device.
    pub fn is_file(&self) -> bool {
        self.handle.metadata().is_ok_and(|metadata| metadata.is_file())
    }

    /// Mounts it as it is, without what is mounted there or below it.
    pub fn bind(&self, target: &Path) -> Result<(), String> {
        self.bind_with(target, MsFlags::MS_BIND)
    }

    /// The same with everything mounted below it.
    pub fn bind_all(&self, target: &Path) -> Result<(), String> {
        self.bind_with(target, MsFlags::MS_BIND | MsFlags::MS_REC)
    }

    fn bind_with(&self, target: &Path, flags: MsFlags) -> Result<(), String> {
        let bound = mount(Some(&self.by_handle()), target, None::<&str>, flags, None::<&str>);
        bound.map_err(|error| cannot("mount", target, error))
    }

    /// Mounts a read-only view of the folder, without what is mounted below it.
    ///
    /// Its sockets and pipes are other objects than the machine's, which nobody listens to: an overlay has
    /// inodes of its own. `top` is an empty folder, whose owner and mode the view gets.
    pub fn overlay(&self, top: &Source, target: &Path) -> nix::Result<()> {
        let layers = format!("lowerdir={}:{}", top.by_handle().display(), self.by_handle().display());
        mount(Some("tfconform"), target, Some("overlay"), MsFlags::MS_RDONLY, Some(layers.as_str()))
    }
}

/// Mounts an empty folder.
pub fn empty_folder(path: &Path, mode: &str, size: &str) -> Result<(), String> {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    let options = format!("mode={mode},size={size},nr_inodes=64k");
    let mounted = mount(Some("tfconform"), path, Some("tmpfs"), flags, Some(options.as_str()));
    mounted.map_err(|error| cannot("mount", path, error))
}

pub fn cannot(action: &str, path: &Path, error: impl Into<io::Error>) -> String {
    let error = error.into();
    let hint = if error.kind() == io::ErrorKind::PermissionDenied { hint() } else { "" };
    format!("failed to {action} {} in a namespace: {error}{hint}", path.display())
}

pub const READ_ONLY: u64 = 1;
pub const NO_SET_USER_ID: u64 = 2;
pub const NO_DEVICES: u64 = 4;

/// `mount_setattr(2)`, which needs Linux 5.12; older calls cannot change all mounts at once, and
/// would have to visit each.
pub fn set_flags(path: &Path, recursive: bool, set: u64, clear: u64) -> Result<(), String> {
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

/// The folders at which something with files is mounted, from `/proc/self/mountinfo`.
pub fn mount_points(table: &str) -> Vec<PathBuf> {
    /// Kinds that show the system's own state.
    const STATE: [&str; 11] = [
        "autofs", "bpf", "cgroup", "cgroup2", "debugfs", "devpts", "devtmpfs", "mqueue", "proc", "sysfs",
        "tracefs",
    ];
    let points = table.lines().filter_map(|line| {
        let (mount, kind) = line.split_once(" - ")?;
        let kind = kind.split(' ').next()?;
        let path = mount.split(' ').nth(4)?;
        (!STATE.contains(&kind)).then(|| PathBuf::from(unescaped(path)))
    });
    points.collect()
}

/// The table writes blanks and backslashes as a backslash and three octal digits.
fn unescaped(text: &str) -> std::ffi::OsString {
    use std::os::unix::ffi::OsStringExt as _;
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let Some((first, after)) = rest.split_first() {
        let code = (*first == b'\\').then(|| after.get(..3)).flatten();
        let code = code.and_then(|code| u8::from_str_radix(std::str::from_utf8(code).ok()?, 8).ok());
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &after[3..] } else { after };
    }
    std::ffi::OsString::from_vec(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mount_points_are_read_with_their_blanks() {
        let table = "36 35 98:0 /a /mnt\\040new rw,noatime master:1 - ext3 /dev/root rw\n\
                     37 35 0:5 / /proc rw - proc proc rw\n\
                     38 35 0:9 / /usr/lib/wsl ro shared:2 - 9p drivers ro\n";
        assert_eq!(mount_points(table), ["/mnt new", "/usr/lib/wsl"].map(PathBuf::from));
    }
}
