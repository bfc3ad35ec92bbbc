{{- define "faregate.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* Labels that never change: a StatefulSet's selector can't. */}}
{{- define "faregate.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "faregate.labels" -}}
{{ include "faregate.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "faregate.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* A variable out of the Secret. */}}
{{- define "faregate.secretVariable" -}}
- name: {{ .name }}
  valueFrom: { secretKeyRef: { name: {{ .root.Values.secretName }}, key: {{ .name }} } }
{{- end }}

{{/* The name of the ConfigMap with faregate.yaml; empty: there is none. */}}
{{- define "faregate.configMap" -}}
{{- if .Values.existingConfigMap }}{{ .Values.existingConfigMap }}{{ else if .Values.config }}{{ include "faregate.name" . }}-config{{ end }}
{{- end }}

{{/* A duration such as 250ms, 30s, 5m or 1h, in whole seconds. */}}
{{- define "faregate.seconds" -}}
{{- $number := regexFind "^[0-9]+" . | int }}
{{- if hasSuffix "ms" . }}{{ div (add $number 999) 1000 }}
{{- else if hasSuffix "m" . }}{{ mul $number 60 }}
{{- else if hasSuffix "h" . }}{{ mul $number 3600 }}
{{- else }}{{ $number }}{{ end }}
{{- end }}

{{/* A stop takes at most timeouts.lame_duck, timeouts.drain and half a minute. */}}
{{- define "faregate.graceSeconds" -}}
{{- $timeouts := .Values.config.timeouts | default dict }}
{{- $lameDuck := include "faregate.seconds" ($timeouts.lame_duck | default "5s") | int }}
{{- $drain := include "faregate.seconds" ($timeouts.drain | default "30s") | int }}
{{- .Values.terminationGracePeriodSeconds | default (add $lameDuck $drain 35) }}
{{- end }}
