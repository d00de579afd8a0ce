# Installs edgematch from a release: the program and the solver for browsers into one folder, which is added to PATH.
#
#   irm https://github.com/edgematch/edgematch/releases/latest/download/install.ps1 | iex
#
# $env:EDGEMATCH_HOME   the folder of the program [default: %LOCALAPPDATA%\edgematch]
# $env:EDGEMATCH_FROM   the folder with the archives [default: the release that this script belongs to]
$ErrorActionPreference = 'Stop'

$version = '@VERSION@'
$from = if ($env:EDGEMATCH_FROM) { $env:EDGEMATCH_FROM } else { "https://github.com/edgematch/edgematch/releases/download/$version" }
$folder = if ($env:EDGEMATCH_HOME) { $env:EDGEMATCH_HOME } else { Join-Path $env:LOCALAPPDATA 'edgematch' }
$name = "edgematch-cli-x86_64-pc-windows-msvc-$version"

$work = Join-Path ([IO.Path]::GetTempPath()) ([Guid]::NewGuid())
New-Item -ItemType Directory $work | Out-Null
try {
    foreach ($file in "$name.zip", 'SHA256SUMS') {
        Invoke-WebRequest "$from/$file" -OutFile (Join-Path $work $file) -UseBasicParsing
    }
    $found = (Get-FileHash (Join-Path $work "$name.zip") -Algorithm SHA256).Hash.ToLowerInvariant()
    if (-not (Select-String -Quiet -SimpleMatch "$found  $name.zip" (Join-Path $work 'SHA256SUMS'))) {
        throw "$name.zip does not have the checksum in SHA256SUMS"
    }
    Expand-Archive (Join-Path $work "$name.zip") $work
    New-Item -ItemType Directory -Force $folder | Out-Null
    Copy-Item (Join-Path $work "$name\*") $folder -Force
} finally {
    Remove-Item -Recurse -Force $work
}

$path = [Environment]::GetEnvironmentVariable('Path', 'User')
if (($path -split ';') -notcontains $folder) {
    [Environment]::SetEnvironmentVariable('Path', "$path;$folder", 'User')
    Write-Output "$folder is added to PATH: open a new window"
}
& (Join-Path $folder 'edgematch.exe') --version
