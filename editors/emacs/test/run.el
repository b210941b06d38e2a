;;; run.el --- The configurations of the README, in a real Emacs with the real server  -*- lexical-binding: t; -*-

;; `cargo xtask editors --only emacs' runs it:
;;   emacs --batch -l editors/emacs/test/run.el CLIENT
;; for the clients `eglot' and `lsp-mode', with ADMISSIBLE_TEST_PROGRAM and ADMISSIBLE_TEST_WORKSPACE.

;;; Code:

;; An unpacked Emacs cannot compile natively.
(setq native-comp-enable-subr-trampolines nil
      native-comp-jit-compilation nil)

(require 'seq)
(require 'yaml-mode)

(defconst run-folder (file-name-directory load-file-name))
(defconst run-expected
  '("7 unsupported-value Fial" "18 undefined-variable replica" "22 cel-syntax =" "25 unknown-field mesage")
  "The errors of replicas.yaml: line, code, and the text there.")

(defun run-finding (start end code)
  "Describe a finding with CODE between the positions START and END."
  (format "%d %s %s" (line-number-at-pos start) code (buffer-substring-no-properties start end)))

(defun run-configuration (heading)
  "Evaluate the first block of Lisp below HEADING of the README."
  (with-temp-buffer
    (insert-file-contents (expand-file-name "../README.md" run-folder))
    (goto-char (point-min))
    (search-forward (concat "## " heading "\n"))
    (search-forward "```elisp\n")
    (let ((start (point)))
      (search-forward "```")
      (eval-region start (match-beginning 0)))))

(defun run-wait-for (expected see)
  "Wait until the function SEE returns EXPECTED."
  (let ((end (time-add nil 30)) (seen nil))
    (while (and (not (equal (setq seen (funcall see)) expected)) (time-less-p nil end))
      (accept-process-output nil 0.05))
    (unless (equal seen expected)
      (error "Expected %S, but there is %S" expected seen))))

(defun run-eglot-findings ()
  "Return the findings that Flymake has."
  (mapcar (lambda (it)
            (run-finding (flymake-diagnostic-beg it) (flymake-diagnostic-end it)
                         (plist-get (cdr (assq 'eglot-lsp-diag (flymake-diagnostic-data it))) :code)))
          (seq-sort-by #'flymake-diagnostic-beg #'< (flymake-diagnostics))))

(defun run-eglot ()
  "Test the configuration for Eglot."
  (require 'eglot)
  (run-configuration "Eglot")
  (find-file (expand-file-name "replicas.yaml" (getenv "ADMISSIBLE_TEST_WORKSPACE")))
  (let ((eglot-sync-connect 30))
    (apply #'eglot (eglot--guess-contact)))
  (run-wait-for run-expected #'run-eglot-findings)
  (goto-char (point-min))
  (search-forward "Fial")
  (replace-match "Fail")
  (eglot--signal-textDocument/didChange)
  (run-wait-for (cdr run-expected) #'run-eglot-findings))

(defun run-lsp-findings ()
  "Return the errors that lsp-mode has."
  (let* ((all (apply #'append (hash-table-values (lsp-diagnostics t))))
         (errors (seq-filter (lambda (it) (eq (lsp:diagnostic-severity? it) 1)) all))
         (ranges (mapcar (lambda (it) (cons (lsp--range-to-region (lsp:diagnostic-range it)) it)) errors)))
    (mapcar (lambda (it) (run-finding (caar it) (cdar it) (lsp:diagnostic-code? (cdr it))))
            (seq-sort-by #'caar #'< ranges))))

(defun run-lsp-mode ()
  "Test the configuration for lsp-mode."
  (load "lsp-mode-autoloads")
  (require 'lsp-mode)
  (run-configuration "lsp-mode")
  (setq lsp-auto-guess-root t lsp-restart 'ignore lsp-enable-suggest-server-download nil
        lsp-enable-snippet nil
        lsp-session-file (make-temp-file "session"))
  (delete-file lsp-session-file)
  (find-file (expand-file-name "replicas.yaml" (getenv "ADMISSIBLE_TEST_WORKSPACE")))
  (lsp)
  (run-wait-for run-expected #'run-lsp-findings)
  (unless (seq-some (lambda (it) (eq (lsp--workspace-server-id it) 'admissible)) (lsp-workspaces))
    (error "The server is not an add-on")))

(let ((client (car command-line-args-left))
      (start (float-time)))
  (setq command-line-args-left nil)
  (push (file-name-directory (getenv "ADMISSIBLE_TEST_PROGRAM")) exec-path)
  (condition-case why
      (progn
        (funcall (intern (concat "run-" client)))
        (princ (format "ok  %s has the findings (%d ms)\n" client (* 1000 (- (float-time) start)))))
    (error
     (princ (format "FAILED  %s has the findings\n    %s\n" client (error-message-string why)))
     (kill-emacs 1)))
  (kill-emacs 0))

;;; run.el ends here
