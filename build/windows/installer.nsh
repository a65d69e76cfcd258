; What the installer for Windows registers beside the program: links that begin with mediadesk://, and Mediadesk as one of the programs
; that "Open with" offers for audio and video files. It becomes the default for none of them.
; APP_EXECUTABLE_FILENAME and SHELL_CONTEXT come from electron-builder.

!define LINK_KEY "Software\Classes\mediadesk"
!define OPEN_KEY "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}"

!macro offerFor EXTENSION
  WriteRegStr SHELL_CONTEXT "${OPEN_KEY}\SupportedTypes" ".${EXTENSION}" ""
!macroend

!macro customInstall
  WriteRegStr SHELL_CONTEXT "${LINK_KEY}" "" "URL:Mediadesk link"
  WriteRegStr SHELL_CONTEXT "${LINK_KEY}" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "${LINK_KEY}\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
  WriteRegStr SHELL_CONTEXT "${OPEN_KEY}" "FriendlyAppName" "Mediadesk"
  WriteRegStr SHELL_CONTEXT "${OPEN_KEY}\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
  !insertmacro offerFor "mp4"
  !insertmacro offerFor "m4v"
  !insertmacro offerFor "mov"
  !insertmacro offerFor "mkv"
  !insertmacro offerFor "webm"
  !insertmacro offerFor "avi"
  !insertmacro offerFor "mpg"
  !insertmacro offerFor "mpeg"
  !insertmacro offerFor "ts"
  !insertmacro offerFor "mxf"
  !insertmacro offerFor "wmv"
  !insertmacro offerFor "mp3"
  !insertmacro offerFor "m4a"
  !insertmacro offerFor "aac"
  !insertmacro offerFor "wav"
  !insertmacro offerFor "flac"
  !insertmacro offerFor "ogg"
  !insertmacro offerFor "opus"
  !insertmacro offerFor "aif"
  !insertmacro offerFor "aiff"
!macroend

!macro customUnInstall
  DeleteRegKey SHELL_CONTEXT "${LINK_KEY}"
  DeleteRegKey SHELL_CONTEXT "${OPEN_KEY}"
!macroend
